import { told } from './values.ts'

/** What firmware says that was never given a value of its own. Thousands of computers say the same. */
const uuids = new Set([
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '01010101-0101-0101-0101-010101010101',
  '03000200-0400-0500-0006-000700080009',
  '00020003-0004-0005-0006-000700080009',
  '6ab5b300-538d-1014-9fb5-b0684d007b53',
  '12345678-1234-5678-90ab-cddeefaabbcc',
  '12345678-1234-1234-1234-123456789012',
])

const serials = new RegExp(
  [
    '^(n/?a|none|null|empty|invalid|unknown|eval|iatpass|undefined|oem|o\\.e\\.m\\.|serial|xen|kvm|qemu|bochs)$',
    '(to be filled|default string|system serial|chassis serial|base ?board serial|board serial|serial number)',
    '(not (specified|applicable|available|present|settable)|null string|fill by oem|no asset|^sys-\\d+$|^(sn|mb|sys|chassis)[-_]?1234)',
    '^(.)\\4*$',
    '^0*123456789?\\d*$',
    '^1234567\\d*$',
    '^[\\W_0]*$',
  ].join('|'),
  'i',
)

// Addresses that a driver gives to each of its adapters: of modems, tunnels and containers.
const macs =
  /^(0{12}|f{12}|4445535400[0-9a-f]{2}|444553544200|505054503030|33506f453030|2041534e?594eff|204153594eff|028037ec0200|00059a3c7[0-9a-f]00|0242[0-9a-f]{8}|005345000000|02004c4f4f50|7a7919[0-9a-f]{6}|001c42000000|00090faa0001|00090ffe0001|001dd8b71c00)$/

/** The UUID of the firmware, in the form of the database; null where it says nothing. */
export function meaningfulUuid(value: unknown): string | null {
  const uuid = told(value, 64)?.toLowerCase() ?? ''
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(uuid)) return null
  return uuids.has(uuid) || /^([\da-f])\1*$/.test(uuid.replaceAll('-', '')) ? null : uuid
}

/** A serial number that one computer has; null where it says nothing. */
export function meaningfulSerial(value: unknown): string | null {
  const serial = told(value)
  return serial === null || serial.length < 3 || serials.test(serial) ? null : serial
}

/** The address of one adapter, in the usual spelling; null where it says nothing. */
export function meaningfulMac(value: unknown): string | null {
  const digits = (told(value, 64) ?? '').toLowerCase().replace(/[:.-]/g, '')
  if (!/^[\da-f]{12}$/.test(digits) || macs.test(digits)) return null
  // Those of groups are no addresses of adapters.
  if (Number.parseInt(digits.slice(0, 2), 16) & 1) return null
  return (digits.match(/../g) ?? []).join(':').toUpperCase()
}
