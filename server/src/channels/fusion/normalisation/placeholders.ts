import { formatMacAddress } from '../../../platform/mac-address.ts'
import { isPlaceholderUuid } from '../../../platform/placeholder-uuid.ts'
import { toText } from './values.ts'

const placeholderSerials = new RegExp(
  [
    '^(n/?a|none|null|empty|invalid|unknown|eval|iatpass|undefined|oem|o\\.e\\.m\\.|serial|xen|kvm|qemu|bochs)$',
    '(to be filled|default string|system serial|chassis serial|base ?board serial|board serial|serial number)',
    '(not (specified|applicable|available|present|settable)|null string|fill by oem|no asset|^sys-\\d+$|^(sn|mb|sys|chassis)[-_]?1234)',
    // By name: the number of a group changes with the patterns before it.
    '^(?<repeated>.)\\k<repeated>*$',
    '^0*123456789?\\d*$',
    '^1234567\\d*$',
    '^[\\W_0]*$',
  ].join('|'),
  'i',
)

// Addresses that drivers of modems, tunnels, containers and networks within a host give to all of their adapters.
const placeholderMacs =
  /^(0{12}|f{12}|4445535400[0-9a-f]{2}|444553544200|505054503030|33506f453030|2041534e?594eff|204153594eff|028037ec0200|00059a3c7[0-9a-f]00|0242[0-9a-f]{8}|005345000000|02004c4f4f50|7a7919[0-9a-f]{6}|001c42000000|00090faa0001|00090ffe0001|001dd8b71c00|005056c0000[0-9a-f]|0a00270000[0-9a-f]{2})$/

/** The UUID of the firmware in the form of the database; null for a placeholder. */
export function toMeaningfulUuid(value: unknown): string | null {
  const uuid = toText(value, 64)?.toLowerCase() ?? ''
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(uuid)) return null
  return isPlaceholderUuid(uuid) ? null : uuid
}

/** The serial number of the computer; null for a placeholder. */
export function toMeaningfulSerial(value: unknown): string | null {
  const serial = toText(value)
  return serial === null || serial.length < 3 || placeholderSerials.test(serial) ? null : serial
}

/** The MAC address in its one spelling; null for a placeholder. */
export function toMeaningfulMac(value: unknown): string | null {
  const digits = (toText(value, 64) ?? '').toLowerCase().replace(/[:.-]/g, '')
  if (!/^[\da-f]{12}$/.test(digits) || placeholderMacs.test(digits)) return null
  // Multicast addresses do not identify an adapter.
  if (Number.parseInt(digits.slice(0, 2), 16) & 1) return null
  return formatMacAddress(digits)
}
