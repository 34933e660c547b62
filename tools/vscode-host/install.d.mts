export const paths: { readonly node: string; readonly server: string };
export function unsupported(): string | undefined;
export function install(say?: (line: string) => void): void;
