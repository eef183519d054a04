/**
 * A MAC address in the one spelling of the database and all answers: `00:1B:44:11:3A:B7`. Any notation of at least six
 * bytes is accepted; other texts stay as they are.
 */
export function formatMacAddress(notation: string): string {
  const digits = notation.replaceAll(/[:.\s-]/g, '')
  if (!/^([\da-f]{2}){6,}$/i.test(digits)) return notation
  return (digits.match(/../g) ?? []).join(':').toUpperCase()
}
