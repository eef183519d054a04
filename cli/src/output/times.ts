/** A time in a list: people read it as a text, programs as UTC. */
export type Timestamp = { text: string; utc: string }

export const timeOf = (utc: string | null | undefined): Timestamp => ({ text: formatTime(utc), utc: utc ?? '' })

export const ageOf = (utc: string | null | undefined): Timestamp => ({ text: formatAge(utc), utc: utc ?? '' })

/** A time of the service in the time zone of the terminal, to the minute. */
export function formatTime(utc: string | null | undefined): string {
  if (!utc) return ''
  const time = new Date(utc)
  if (Number.isNaN(time.getTime())) return utc
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}

/** When the next contact of an agent is expected. One that is connected is called when there is something for it. */
export function formatNextContact(utc: string | null | undefined, isConnected: boolean, now = Date.now()): string {
  if (isConnected) return 'at any time, connected now'
  if (!utc) return ''
  return Date.parse(utc) > now ? `expected ${formatTime(utc)}` : `late, was expected ${formatTime(utc)}`
}

/** How long ago a time is, for people. */
export function formatAge(utc: string | null | undefined, now = Date.now()): string {
  if (!utc) return 'never'
  const seconds = Math.max(0, Math.round((now - Date.parse(utc)) / 1_000))
  if (Number.isNaN(seconds)) return utc
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h ago`
  return `${Math.floor(seconds / 86_400)} days ago`
}
