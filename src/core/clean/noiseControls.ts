/** Buttons, fields and menus. */
import { isActionText } from "./noisePhrases.ts";
import type { WalkContext } from "./noiseContext.ts";
import { attribute, closest, find, hasClass, plainText } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

/** Buttons, fields and other things that do something and say little. */
export function controlOf(node: ElementNode, context: WalkContext): string | undefined {
  switch (node.tag) {
    case "noscript":
      return "notice for browsers without scripts";
    case "button":
      return isDisclosure(node) ? undefined : "button";
    case "select":
    case "datalist":
      return "picker";
    case "textarea":
    case "progress":
    case "meter":
      return "field";
    case "dialog":
      return "dialog";
    case "form": {
      const { words, solids, hasTitle, hasMain } = context.measures(node);
      return hasTitle || hasMain || solids > 0 || words > 60 ? undefined : "form";
    }
    case "label":
      return find(node, (inner) => inner.tag === "input") !== undefined ||
        (attribute(node, "for") !== "" && !hasClass(node, "variant-label"))
        ? "field"
        : undefined;
    default:
      break;
  }
  switch (attribute(node, "role")) {
    case "search":
      return "search";
    case "button":
      return isDisclosure(node) || context.measures(node).words > 12 ? undefined : "button";
    case "tooltip":
    case "menu":
    case "menubar":
    case "toolbar":
    case "listbox":
    case "combobox":
      return context.measures(node).solids > 0 ? undefined : "menu";
    case "dialog":
    case "alertdialog":
      return "dialog";
    default:
      return undefined;
  }
}

/** A button that opens a part of the page carries that part's title. */
function isDisclosure(node: ElementNode): boolean {
  const text = plainText(node);
  if (text === "" || isActionText(text)) return false;
  if (closest(node, (ancestor) => /^(?:h[1-6]|dt|summary)$/u.test(ancestor.tag)) !== undefined) return true;
  return (
    node.attributes.has("aria-expanded") &&
    attribute(node, "aria-haspopup") === "" &&
    /\s/u.test(text) &&
    closest(node, (ancestor) => /^(?:nav|header)$/u.test(ancestor.tag)) === undefined
  );
}
