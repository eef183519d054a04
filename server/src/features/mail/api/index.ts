import type { AnyOperation } from '../../../platform/operation.ts'
import { deleteMailServer } from './delete-mail-server.ts'
import { getMailServer } from './get-mail-server.ts'
import { setMailServer } from './set-mail-server.ts'
import { testMailServer } from './test-mail-server.ts'

export const mailApi: readonly AnyOperation[] = [getMailServer, setMailServer, deleteMailServer, testMailServer]
