import { Id, Type, text } from '../../../platform/schema.ts'
import { EventPosition } from '../cloud-event.ts'

/** The filters of everything that reads events. */
export const eventFilters = {
  after: Type.Optional({ ...EventPosition, description: 'Return the events after this position.' }),
  types: Type.Optional(
    text(
      2_000,
      'muster.computer.*,muster.work.failed',
      'Only these types, separated by commas; `*` stands for any end. Types for which you lack the role are left out, unless you name one in full, which is refused.',
    ),
  ),
  computerId: Type.Optional({
    ...Id,
    description:
      'Only events about this computer alone. Events that cover many computers count them and name none, so they are left out.',
  }),
}
