import ipaddr from "ipaddr.js";

/**
 * Why an address must not be contacted for a page from the public web, e.g. `loopback`; `undefined` when it may be.
 *
 * Only ordinary global addresses pass. An IPv6 address that carries an IPv4 address (mapped, NAT64, 6to4, Teredo,
 * IPv4-compatible, ISATAP) is as private as the address it carries.
 *
 * @param address An IP address as a resolver or the URL parser spells it, with or without brackets and zone.
 */
export function refusalOf(address: string): string | undefined {
  const literal = address.replace(/^\[|\]$/gu, "").replace(/%.*$/u, "");
  if (!ipaddr.isValid(literal)) return "not an IP address";
  const parsed = ipaddr.parse(literal);
  if (parsed instanceof ipaddr.IPv4) return refusalOfIpv4(parsed);
  return refusalOfIpv6(parsed);
}

/** Cloud providers answer with credentials there; named apart because the message should say what it is. */
const metadataAddresses = new Set([
  "169.254.169.254",
  "169.254.170.2",
  "100.100.100.200",
  "192.0.0.192",
  "168.63.129.16",
]);
const metadataAddressesIpv6 = new Set(["fd00:ec2::254", "fd20:ce::254"]);

function refusalOfIpv4(address: ipaddr.IPv4): string | undefined {
  if (metadataAddresses.has(address.toString())) return "a cloud metadata service";
  const range = address.range();
  return range === "unicast" ? undefined : rangeName(range);
}

function refusalOfIpv6(address: ipaddr.IPv6): string | undefined {
  if (metadataAddressesIpv6.has(address.toString())) return "a cloud metadata service";
  const carried = carriedIpv4(address);
  if (carried !== undefined) {
    const refusal = refusalOfIpv4(carried);
    if (refusal !== undefined) return `${refusal} (${carried.toString()} inside an IPv6 address)`;
  }
  const range = address.range();
  // Mapped addresses, NAT64 and 6to4 lead to the IPv4 address inside, which was checked above.
  // 64:ff9b:1::/48 is NAT64 for use within one network (RFC 8215).
  if (range === "ipv4Mapped" || range === "6to4") return undefined;
  if (range === "rfc6052") return address.parts[2] === 0 ? undefined : "private";
  // Global unicast is 2000::/3 (RFC 4291); what lies outside, apart from the ranges just named, is not assigned.
  const global = ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
  return range === "unicast" && global ? undefined : rangeName(range);
}

function carriedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const parts = address.parts;
  const at = (index: number) => parts[index] ?? 0;
  const from = (high: number, low: number) => new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  switch (address.range()) {
    case "6to4":
      return from(at(1), at(2));
    case "rfc6052": // 64:ff9b::/96
      return at(2) === 0 ? from(at(6), at(7)) : undefined;
    case "teredo": // 2001::/32, the client's address with its bits flipped
      return from(at(6) ^ 0xffff, at(7) ^ 0xffff);
    default:
  }
  // ISATAP (RFC 5214): ...:0:5efe:a.b.c.d
  if ((at(4) & 0xfdff) === 0 && at(5) === 0x5efe) return from(at(6), at(7));
  // IPv4-compatible (RFC 4291, deprecated): ::a.b.c.d
  if (parts.slice(0, 6).every((part) => part === 0) && at(6) !== 0) return from(at(6), at(7));
  return undefined;
}

const rangeNames: Readonly<Record<string, string>> = {
  private: "private",
  loopback: "loopback",
  linkLocal: "link-local",
  uniqueLocal: "private",
  carrierGradeNat: "carrier-grade NAT",
  unspecified: "unspecified",
  broadcast: "broadcast",
  multicast: "multicast",
  reserved: "reserved",
};

function rangeName(range: string): string {
  return rangeNames[range] ?? "reserved";
}
