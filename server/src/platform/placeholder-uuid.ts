/** UUIDs that firmware reports when the vendor did not set one. Thousands of computers have the same. */
const placeholderUuids = new Set([
  '03000200-0400-0500-0006-000700080009',
  '00020003-0004-0005-0006-000700080009',
  '6ab5b300-538d-1014-9fb5-b0684d007b53',
  '12345678-1234-5678-90ab-cddeefaabbcc',
  '12345678-1234-1234-1234-123456789012',
])

/** Whether a reported UUID identifies no computer: one of the known placeholders, or one byte repeated. */
export function isPlaceholderUuid(uuid: string): boolean {
  const digits = uuid.toLowerCase()
  return placeholderUuids.has(digits) || /^([\da-f]{1,2})\1*$/.test(digits.replaceAll('-', ''))
}
