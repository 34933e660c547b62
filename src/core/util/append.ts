/** Adds all of them at the end. `list.push(...more)` overflows the stack at about 100,000. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const item of more) list.push(item);
}
