import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'

export type Outbox = ReturnType<typeof openOutbox>

/** A contact may carry the results of several work items. Results do not wait longer for one than this. */
const maxWaitMs = 5_000

/** Results in the journal that wait for the next contact, or for a few seconds, whatever comes first. */
export function openOutbox() {
  let waiting: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined

  function sendNow(send: () => Promise<void>): void {
    waiting = undefined
    sending = send()
      // The journal keeps them for the next contact.
      .catch((error: unknown) => log(`Results could not be reported yet. ${messageOf(error)}`))
      .finally(() => {
        sending = undefined
      })
  }

  return {
    /** Sends the results soon, unless a contact carries them before. */
    sendSoon(send: () => Promise<void>): void {
      waiting ??= setTimeout(() => sendNow(send), maxWaitMs)
    },
    /** Leaves the results to the caller, who reports them now. */
    async takeOver(): Promise<void> {
      clearTimeout(waiting)
      waiting = undefined
      await sending
    },
  }
}
