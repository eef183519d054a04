import { library } from './library.ts'
import { checkStatus } from './system-error.ts'

const shell32 = library('shell32.dll', { SHQueryUserNotificationState: ['int', '_Out_ int *'] })

/** What the user of the session of this process is doing, as a QUERY_USER_NOTIFICATION_STATE. */
export function readNotificationState(): number {
  const state = [0]
  checkStatus('Windows does not say whether it may show messages', shell32.SHQueryUserNotificationState(state))
  return state[0] ?? 0
}
