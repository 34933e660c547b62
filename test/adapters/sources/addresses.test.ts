import assert from "node:assert/strict";
import fc from "fast-check";
import { refusalOf } from "../../../src/adapters/sources/addresses.ts";

/** The host as the URL parser spells it: decimal, octal and hexadecimal addresses become dotted ones. */
const hostOf = (url: string) => new URL(url).hostname;

describe("refusalOf", () => {
  const refused: Readonly<Record<string, string>> = {
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "10.0.0.1": "private",
    "172.16.0.1": "private",
    "172.31.255.255": "private",
    "192.168.1.1": "private",
    "169.254.1.1": "link-local",
    "169.254.169.254": "a cloud metadata service",
    "100.100.100.200": "a cloud metadata service",
    "100.64.0.1": "carrier-grade NAT",
    "0.0.0.0": "unspecified",
    "0.1.2.3": "unspecified",
    "224.0.0.1": "multicast",
    "255.255.255.255": "broadcast",
    "240.0.0.1": "reserved",
    "192.0.2.1": "reserved",
    "198.18.0.1": "reserved",
    "203.0.113.9": "reserved",
    "::": "unspecified",
    "::1": "loopback",
    "fe80::1": "link-local",
    "fe80::1%eth0": "link-local",
    "fc00::1": "private",
    "fd12:3456::1": "private",
    "fd00:ec2::254": "a cloud metadata service",
    "fec0::1": "reserved",
    "ff02::1": "multicast",
    "2001:db8::1": "reserved",
    "4000::1": "reserved",
    "64:ff9b:1::1": "private",
  };
  for (const [address, why] of Object.entries(refused)) {
    it(`refuses ${address} as ${why}`, () => assert.equal(refusalOf(address), why));
  }

  for (const address of [
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:10.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "::10.0.0.1",
    "::ffff:0:127.0.0.1",
    "2a00::5efe:192.168.0.1",
    "2a00::200:5efe:192.168.0.1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  ]) {
    it(`refuses the private address inside ${address}`, () => assert.notEqual(refusalOf(address), undefined));
  }

  for (const address of [
    "1.1.1.1",
    "93.184.216.34",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "2001:4860:4860::8888",
    "::ffff:1.1.1.1",
    "64:ff9b::101:101",
    "2002:101:101::1",
  ]) {
    it(`lets ${address} pass`, () => assert.equal(refusalOf(address), undefined));
  }

  for (const spelling of ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0x7f.1", "017700000001", "127.0.0.1."]) {
    it(`refuses loopback spelled ${spelling}`, () =>
      assert.equal(refusalOf(hostOf(`http://${spelling}/`)), "loopback"));
  }

  for (const spelling of ["[::ffff:127.0.0.1]", "[0:0:0:0:0:0:0:1]", "[::1]"]) {
    it(`refuses loopback spelled ${spelling}`, () =>
      assert.notEqual(refusalOf(hostOf(`http://${spelling}/`)), undefined));
  }

  it("refuses what is no address", () => assert.equal(refusalOf("example.com"), "not an IP address"));

  it("refuses an IPv6 address that maps an IPv4 address exactly when it refuses that address", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        assert.equal(refusalOf(`::ffff:${address}`) === undefined, refusalOf(address) === undefined);
        assert.equal(refusalOf(`64:ff9b::${address}`) === undefined, refusalOf(address) === undefined);
      }),
    );
  });
});
