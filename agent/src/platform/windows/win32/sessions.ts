import type { UserAnswer } from '../../machine.ts'
import koffi from '../koffi.ts'
import { library } from './library.ts'

const wtsapi32 = library('wtsapi32.dll', {
  WTSEnumerateSessionsW: ['int', 'intptr', 'uint32', 'uint32', '_Out_ intptr *', '_Out_ uint32 *'],
  WTSFreeMemory: ['void', 'intptr'],
  WTSLogoffSession: ['int', 'intptr', 'uint32', 'int'],
  WTSQuerySessionInformationW: ['int', 'intptr', 'uint32', 'int', '_Out_ intptr *', '_Out_ uint32 *'],
  WTSSendMessageW: [
    'int',
    'intptr',
    'uint32',
    'str16',
    'uint32',
    'str16',
    'uint32',
    'uint32',
    'uint32',
    '_Out_ uint32 *',
    'int',
  ],
})

const thisComputer = 0
/** The size of WTS_SESSION_INFOW, and where its state is. */
const sessionSize = 24
const stateOffset = 16
const [active, disconnected] = [0, 4]
const [userName, domainName] = [5, 7]
const informationIcon = 0x40
/** Two buttons, of which "no" is the default one, before all other windows. */
const question = 0x4 | 0x20 | 0x100 | 0x1_0000
const answers: Partial<Record<number, UserAnswer>> = { 6: 'Later', 7: 'Now' }

export type Session = { id: number; user: string; isActive: boolean }

/** The sessions of users; those who use the computer now come first. */
export function listSessions(): Session[] {
  const [address, count] = [[0], [0]]
  if (wtsapi32.WTSEnumerateSessionsW(thisComputer, 0, 1, address, count) === 0) return []
  const list = address[0] ?? 0
  try {
    const found = Array.from({ length: count[0] ?? 0 }, (_, index) => {
      const entry = BigInt(list + index * sessionSize)
      const [id, state] = [koffi.decode.uint32(entry), koffi.decode.uint32(entry + BigInt(stateOffset))]
      return { id, state, user: userOf(id) }
    })
    return found
      .filter(({ state, user }) => user !== '' && (state === active || state === disconnected))
      .map(({ id, state, user }) => ({ id, user, isActive: state === active }))
      .sort((one, other) => Number(other.isActive) - Number(one.isActive))
  } finally {
    wtsapi32.WTSFreeMemory(list)
  }
}

export function endSession(id: number): boolean {
  return wtsapi32.WTSLogoffSession(thisComputer, id, 0) !== 0
}

/** Shows a message without waiting for an answer. */
export function showMessage(id: number, title: string, text: string): void {
  wtsapi32.WTSSendMessageW(thisComputer, id, title, bytes(title), text, bytes(text), informationIcon, 0, [0], 0)
}

/**
 * Asks a user whether to continue later. Null: nobody answers within the time limit, or the message cannot be shown. A thread waits for it, so ask one user at a time.
 */
export function askInSession(
  id: number,
  title: string,
  text: string,
  limitSeconds: number,
): Promise<UserAnswer | null> {
  const answer = [0]
  const texts = [title, bytes(title), text, bytes(text)]
  return new Promise((resolve, reject) => {
    wtsapi32.WTSSendMessageW.async(
      ...[thisComputer, id, ...texts, question, limitSeconds, answer, 1],
      (error: Error | null, isShown: number) => {
        if (error) reject(error)
        else resolve(isShown === 0 ? null : (answers[answer[0] ?? 0] ?? null))
      },
    )
  })
}

const bytes = (text: string) => Buffer.byteLength(text, 'utf16le')

function userOf(id: number): string {
  const [user, domain] = [textOf(id, userName), textOf(id, domainName)]
  return domain === '' || user === '' ? user : `${domain}\\${user}`
}

function textOf(id: number, kind: number): string {
  const address = [0]
  if (wtsapi32.WTSQuerySessionInformationW(thisComputer, id, kind, address, [0]) === 0) return ''
  try {
    return koffi.decode.string16(BigInt(address[0] ?? 0))
  } finally {
    wtsapi32.WTSFreeMemory(address[0])
  }
}
