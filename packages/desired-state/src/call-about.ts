import { isProblem } from '@muster/client'
import { CatalogCommandError } from './catalog-command-error.ts'
import { describeProblem } from './describe-problem.ts'
import type { CallService } from './service-client.ts'
import type { StatePlaces } from './state-places.ts'

/** Returns the function that calls the service about the files of a folder. Its errors name places in them. */
export function callAbout(places: StatePlaces, call: CallService): CallService {
  return async <T>(...request: Parameters<CallService>) =>
    call<T>(...request).catch((error: Error) => {
      const { cause } = error
      throw isProblem(cause) ? new CatalogCommandError(describeProblem(cause, places), { cause }) : error
    })
}
