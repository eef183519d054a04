import { packageRequestStates } from '../../../features/self-service/package-requests.ts'
import { listSoftwareOfComputer, softwareStates } from '../../../features/self-service/software-of-computer.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { closed, enumOf, Instant, nullable, sha256, Type, text, Uuid } from '../../../platform/schema.ts'

const action = nullable(text(50, 'Install', 'What is done with the package; null if nothing is'))

const Software = closed(
  {
    packageId: { ...Uuid, description: 'Id of the package' },
    name: text(255, 'Greeting', 'Name of the package'),
    version: text(100, '1.2.0', 'Version of the package'),
    description: text(500, 'Puts a greeting on every computer', 'Purpose of the package, shortened'),
    category: text(50, 'Office', 'Category in the manifest of the package; may be empty'),
    iconSha256: nullable(sha256('Hash of the icon; null if the package has none')),
    state: enumOf(softwareStates, { description: 'Offered: the user may take it' }),
    action,
    sinceUtc: nullable({ ...Instant, description: 'When it was installed or failed' }),
    offeredUntilUtc: nullable({ ...Instant, description: 'Until when it is offered; null without a limit' }),
    reasons: Type.Array(
      closed(
        {
          reason: text(50, 'OutsideWindow', 'What keeps it from the computer. Later servers may have other reasons.'),
          untilUtc: nullable({ ...Instant, description: 'When it ends by itself' }),
          packages: Type.Array(text(255, 'Java Runtime'), { description: 'Packages that have to come first' }),
        },
        { title: 'SoftwareReason' },
      ),
      { description: 'Why the computer does not have it yet' },
    ),
    postponementsLeft: Type.Integer({ examples: [2], description: 'How often the user may postpone it' }),
  },
  { title: 'SoftwareOfComputer' },
)

const HistoryEntry = closed(
  {
    name: text(255, 'Greeting', 'Name of the package'),
    version: text(100, '1.2.0', 'Version of the package'),
    result: enumOf(['Pending', 'Running', 'Success', 'Failed', 'Cancelled'], { description: 'What happened' }),
    action,
    atUtc: { ...Instant, description: 'When it happened' },
  },
  { title: 'SoftwareHistoryEntry' },
)

const OwnRequest = closed(
  {
    requestId: Uuid,
    wish: text(200, 'An editor for PDF files', 'What the user asked for'),
    user: text(255, 'mia', 'The user'),
    state: enumOf(packageRequestStates, { description: 'Whether it was decided' }),
    answer: text(1000, 'Please use the editor that you have.', 'What the user reads about the decision'),
    requestedUtc: { ...Instant, description: 'When the request arrived' },
  },
  { title: 'OwnPackageRequest' },
)

export const listSoftware = operation({
  id: 'listSoftware',
  route: 'GET /agent/v1/software',
  summary: 'List what the user of the computer may see of its software',
  description:
    'An agent calls this when a user looks. Packages that are hidden from users, commands, output and variables are not part of it.',
  role: 'machine',
  returns: ok(
    closed(
      {
        software: Type.Array(Software, { description: 'What is offered, pending, installed or failed, by name' }),
        history: Type.Array(HistoryEntry, { description: 'What happened last, newest first' }),
        requests: Type.Array(OwnRequest, { description: 'What users have asked for, newest first' }),
      },
      { title: 'ComputerSoftware' },
    ),
  ),
  handle: ({ db, machine: { clientId } }) => listSoftwareOfComputer(db, clientId),
})
