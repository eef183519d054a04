import type { Area } from '../../platform/operation.ts'
import { requestToken } from './request-token.ts'

export const authentication: Area = {
  name: 'Authentication',
  description: 'Access tokens for the API.',
  operations: [requestToken],
}
