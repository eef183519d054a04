import type { Send } from '@muster/client'
import { CommandFailure } from '../errors.ts'
import { describeConnectionError } from './describe-connection-error.ts'

/**
 * A service that does not answer at all is a failure at once: the address is probably wrong, and nobody should wait for it. Once
 * it has answered, the client repeats what fails, because nodes restart.
 */
export function failAtFirstContact(send: Send): Send {
  let hasAnswered = false
  return async (request) => {
    try {
      const response = await send(request)
      hasAnswered = true
      return response
    } catch (error) {
      if (hasAnswered || request.signal.aborted || !(error instanceof TypeError)) throw error
      throw new CommandFailure(describeConnectionError(request.url, error))
    }
  }
}
