import { lookup } from "node:dns/promises";
import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { BacopaError } from "../../core/errors.ts";
import { refusalOf } from "./addresses.ts";

/** How host names become addresses and which addresses may be contacted. Replaced in tests only. */
export interface Network {
  /** All addresses of a host, in the order they should be tried. */
  resolve(hostname: string): Promise<readonly LookupAddress[]>;
  /** Why an address may not be contacted; `undefined` when it may. */
  refusal(address: string): string | undefined;
}

export const publicNetwork: Network = {
  resolve: async (hostname) => lookup(hostname, { all: true }),
  refusal: refusalOf,
};

/**
 * The addresses a URL may be fetched from: resolved once and then pinned, so that a second answer of the name server
 * cannot lead elsewhere (DNS rebinding). One private address among several refuses the host.
 *
 * @throws BacopaError `refused-address`; any error of the resolver as it is.
 */
export async function checkedAddresses(
  url: URL,
  network: Network,
  allowPrivate: boolean,
): Promise<readonly LookupAddress[]> {
  const hostname = url.hostname.replace(/^\[|\]$/gu, "");
  const family = isIP(hostname);
  const addresses = family === 0 ? await network.resolve(hostname) : [{ address: hostname, family }];
  if (addresses.length === 0) throw Object.assign(new Error(`no address for ${hostname}`), { code: "ENOTFOUND" });
  if (allowPrivate) return addresses;
  for (const { address } of addresses) {
    const refusal = network.refusal(address);
    if (refusal !== undefined) throw refusedAddress(url, address, refusal);
  }
  return addresses;
}

function refusedAddress(url: URL, address: string, refusal: string): BacopaError {
  const refused = `${url.host} is an address inside a private network (${address}: ${refusal}), and Bacopa contacts only the public web.`;
  return new BacopaError("refused-address", {
    message: `refused ${url.host}: ${address} is ${refusal}`,
    userMessage: `${refused} If you trust it, turn on the setting "Allow Private Addresses" and save again.`,
    commandLine: `${refused} If you trust it, save it with --allow-private.`,
    action: {
      title: "Open Setting",
      command: "workbench.action.openSettings",
      argument: "bacopa.allowPrivateAddresses",
    },
    hint: "Do not retry. Only the person can allow private addresses.",
  });
}
