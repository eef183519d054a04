import { closed, enumOf, Id, Instant, Type, text } from '../../../platform/schema.ts'

export const ExplainedNotice = closed(
  {
    reason: enumOf(['RebootRequired', 'NoDepotOnline', 'ConflictInstalled'], {
      description: 'What to know, for programs',
    }),
    message: text(1000, 'The computer needs a reboot. No patch policy restarts it.', 'A sentence for people'),
    restart: Type.Optional(
      closed(
        {
          policyId: Id,
          policyName: text(255, 'Workstations', 'Name of the patch policy'),
          opensUtc: { ...Instant, description: 'When its window opens, or now while it is open' },
          closesUtc: { ...Instant, description: 'When the window ends' },
        },
        {
          title: 'ExplainedRestart',
          description: 'RebootRequired: the patch policy that restarts the computer. Absent if none does',
        },
      ),
    ),
  },
  { title: 'ExplainedNotice' },
)
