import type { AnyOperation } from '../../../platform/operation.ts'
import { listEvents } from './list-events.ts'
import { streamEvents } from './stream-events.ts'

export const eventsApi: readonly AnyOperation[] = [listEvents, streamEvents]
