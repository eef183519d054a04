import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import wakeOnLan from 'wake_on_lan'
import type { Configuration } from './configuration.ts'

/** A computer to be woken, and the address by which the packet reaches it; null where its network is not known. */
export type WakeUp = { id: number; macAddress: string; address: string | null }

export type WakeSettings = Pick<Configuration, 'wakeAddress' | 'wakePort'>

const wake = promisify(wakeOnLan.wake)

const everywhere = '255.255.255.255'
const atOnce = 20
const msForEach = 5

/** Sends one magic packet for each computer, at most 200 in a second, and returns the ids of those that went out. */
export async function sendMagicPackets(wakeUps: readonly WakeUp[], settings: WakeSettings): Promise<Set<number>> {
  const sent = new Set<number>()
  for (let from = 0; from < wakeUps.length; from += atOnce) {
    const some = wakeUps.slice(from, from + atOnce)
    await Promise.all([sleep(some.length * msForEach), ...some.map((one) => sendOne(one, settings, sent))])
  }
  return sent
}

async function sendOne({ id, macAddress, address }: WakeUp, settings: WakeSettings, sent: Set<number>): Promise<void> {
  const target = settings.wakeAddress ?? address ?? everywhere
  await wake(macAddress, { address: target, port: settings.wakePort, num_packets: 1 }).then(
    () => sent.add(id),
    // Whoever asked sees it by the id that is missing, and tries again.
    () => undefined,
  )
}
