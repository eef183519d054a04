import { useFormat } from '../texts/format.ts'
import { useTexts } from '../texts/texts.tsx'

/** When the agent of a computer comes for its work, or that it is late; nothing for an agent without a contact. */
export function NextContact({ atUtc }: { atUtc: string | null }) {
  const { common } = useTexts()
  const format = useFormat()
  if (atUtc === null) return null
  const at = format.dateTime(atUtc)
  return <span>{Date.parse(atUtc) > Date.now() ? common.nextContact(at) : common.lateContact(at)}</span>
}
