import { useFormat } from '../texts/format.ts'
import { useTexts } from '../texts/texts.tsx'

type NextContactProps = { atUtc: string | null; isConnected: boolean }

/**
 * When the agent of a computer comes for its work: at once if it is connected. Or that it is late; nothing for an agent without
 * a contact.
 */
export function NextContact({ atUtc, isConnected }: NextContactProps) {
  const { common } = useTexts()
  const format = useFormat()
  if (atUtc === null) return null
  if (isConnected) return <span>{common.connectedAgent}</span>
  const at = format.dateTime(atUtc)
  return <span>{Date.parse(atUtc) > Date.now() ? common.nextContact(at) : common.lateContact(at)}</span>
}
