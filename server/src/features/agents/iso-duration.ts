/** Formats a duration after ISO 8601 in days, hours, minutes and seconds: P3DT4H12M55S. */
export function formatIsoDuration(wholeSeconds: number): string {
  const days = Math.floor(wholeSeconds / 86_400)
  const parts: [number, string][] = [
    [Math.floor(wholeSeconds / 3_600) % 24, 'H'],
    [Math.floor(wholeSeconds / 60) % 60, 'M'],
    [wholeSeconds % 60, 'S'],
  ]
  const time = parts.map(([value, unit]) => (value > 0 ? `${value}${unit}` : '')).join('')
  if (days === 0) return `PT${time || '0S'}`
  return `P${days}D${time && `T${time}`}`
}
