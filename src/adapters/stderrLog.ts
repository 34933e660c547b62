import type { Log } from "../core/ports.ts";

export type LogLevel = "debug" | "info" | "warn" | "off";

const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, off: 3 };

/** Longest value shown, characters: a log names things and never quotes pages. */
const maxValueLength = 200;

/**
 * Lines for people on the standard error: `bacopa: warn  page is damaged pageId=http-caching-0a1b2c3d4e`.
 *
 * @param level The least severe kind that is written. Default `warn`.
 * @param write Default: the standard error.
 */
export function createStderrLog(
  level: LogLevel = "warn",
  write: (line: string) => void = (line) => process.stderr.write(line),
): Log {
  const logAt =
    (kind: Exclude<LogLevel, "off">): Log["info"] =>
    (event, data) => {
      if (severity[kind] >= severity[level]) write(`bacopa: ${kind.padEnd(5)} ${event}${fields(data)}\n`);
    };
  return { debug: logAt("debug"), info: logAt("info"), warn: logAt("warn") };
}

function fields(data: Readonly<Record<string, unknown>> = {}): string {
  return Object.entries(data)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${shown(value)}`)
    .join("");
}

function shown(value: unknown): string {
  const text = value instanceof Error ? value.message : typeof value === "string" ? value : JSON.stringify(value);
  // One event is one line, and no control sequence of a page's title reaches the terminal.
  const oneLine = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  const short = oneLine.length > maxValueLength ? `${oneLine.slice(0, maxValueLength)}…` : oneLine;
  return /[\s="]/.test(short) ? JSON.stringify(short) : short;
}
