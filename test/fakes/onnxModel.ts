/** Writes small ONNX models by hand (the protobuf of onnx.proto3), whose output can be computed by hand. */
export interface TinyModel {
  /** Row of each token id, all of one length. */
  readonly table: readonly (readonly number[])[];
  /** Default: `input_ids`, `attention_mask`, `token_type_ids`. */
  readonly inputs?: readonly string[];
  readonly output?: string;
  /** Also gives the mean of all rows under this name. */
  readonly pooledOutput?: string;
  /** Gives the mean alone. */
  readonly pooledOnly?: boolean;
}

/** A model that looks each token up in a table: `last_hidden_state[b][n] = table[input_ids[b][n]]`. */
export function tinyModel({
  table,
  inputs = ["input_ids", "attention_mask", "token_type_ids"],
  output = "last_hidden_state",
  pooledOutput,
  pooledOnly = false,
}: TinyModel): Uint8Array {
  const dims = table[0]?.length ?? 0;
  const values = Buffer.alloc(table.length * dims * 4);
  table.flat().forEach((value, i) => values.writeFloatLE(value, i * 4));
  const graph = [
    message(1, node("Gather", ["table", "input_ids"], [output])),
    ...(pooledOutput === undefined
      ? []
      : [
          message(1, [
            ...node("ReduceMean", [output], [pooledOutput]),
            ...message(5, axes([1])),
            ...message(5, keepDims(0)),
          ]),
        ]),
    text(2, "tiny"),
    message(5, [...varints(1, [table.length, dims]), ...varint(2, float), ...text(8, "table"), ...bytes(9, values)]),
    ...inputs.map((name) => message(11, value(name, int64, ["batch", "length"]))),
    ...(pooledOnly ? [] : [message(12, value(output, float, ["batch", "length", dims]))]),
    ...(pooledOutput === undefined ? [] : [message(12, value(pooledOutput, float, ["batch", dims]))]),
  ].flat();
  const model = [...varint(1, 8), ...message(7, graph), ...message(8, [...text(1, ""), ...varint(2, 13)])];
  return Uint8Array.from(model);
}

const float = 1;
const int64 = 7;

function node(operator: string, inputs: readonly string[], outputs: readonly string[]): number[] {
  return [
    ...inputs.flatMap((name) => text(1, name)),
    ...outputs.flatMap((name) => text(2, name)),
    ...text(4, operator),
  ];
}

/** AttributeProto: name, the value, its type (7: a list of integers; 2: one). */
function axes(list: readonly number[]): number[] {
  return [...text(1, "axes"), ...list.flatMap((axis) => varint(8, axis)), ...varint(20, 7)];
}

function keepDims(keep: number): number[] {
  return [...text(1, "keepdims"), ...varint(3, keep), ...varint(20, 2)];
}

function value(name: string, type: number, shape: readonly (string | number)[]): number[] {
  const dimensions = shape.flatMap((size) => message(1, typeof size === "number" ? varint(1, size) : text(2, size)));
  return [...text(1, name), ...message(2, message(1, [...varint(1, type), ...message(2, dimensions)]))];
}

function varint(field: number, number: number): number[] {
  return [...plain(field * 8), ...plain(number)];
}

function varints(field: number, numbers: readonly number[]): number[] {
  return numbers.flatMap((number) => varint(field, number));
}

function text(field: number, string: string): number[] {
  return bytes(field, Buffer.from(string, "utf8"));
}

function message(field: number, content: readonly number[]): number[] {
  return bytes(field, Uint8Array.from(content));
}

function bytes(field: number, content: Uint8Array): number[] {
  return [...plain(field * 8 + 2), ...plain(content.length), ...content];
}

function plain(number: number): number[] {
  const out: number[] = [];
  for (; number > 127; number = Math.floor(number / 128)) out.push((number % 128) + 128);
  return [...out, number];
}
