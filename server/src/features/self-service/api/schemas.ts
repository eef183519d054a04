import { closed, enumOf, Id, Instant, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { packageRequestStates } from '../package-requests.ts'

export const PackageRequestPath = closed({ id: Uuid })

export const PackageRequestState = enumOf(packageRequestStates, { title: 'PackageRequestState' })

const DecisionAnswer = text(1000, 'Please use the editor that you have.', 'What the user reads about the decision')

export const PackageRequest = closed(
  {
    requestId: Uuid,
    computerId: { ...Id, description: 'Id of the computer' },
    hostname: text(255, 'PC-0017', 'Name of the computer'),
    wish: text(200, 'An editor for PDF files', 'What the user asks for, in the words of the user'),
    reason: text(1000, 'I have to fill in forms.', 'Why; empty if the user gave no reason'),
    userName: text(255, 'mia', 'The user, as the computer reports it'),
    requestedAtUtc: { ...Instant, description: 'When the request arrived' },
    state: PackageRequestState,
    packageId: nullable({ ...Uuid, description: 'The package that the computer gets; null unless it was approved' }),
    packageName: nullable(text(255, 'Example Editor', 'Name of the package')),
    packageVersion: nullable(text(255, '1.2.0', 'Version of the package')),
    decidedAtUtc: nullable({ ...Instant, description: 'When it was approved or declined' }),
    decidedBy: nullable(text(255, 'client-77c0d2e41a', 'Name of the principal that decided')),
    answer: { ...DecisionAnswer, description: 'What the user reads about the decision; may be empty' },
  },
  { title: 'PackageRequest' },
)

export const PackageRequestApproval = closed(
  {
    packageId: { ...Uuid, description: 'The package that the computer gets' },
    answer: Type.Optional({ ...DecisionAnswer, default: '' }),
  },
  { title: 'PackageRequestApproval' },
)

export const PackageRequestRefusal = closed(
  { answer: { ...DecisionAnswer, minLength: 1 } },
  { title: 'PackageRequestRefusal' },
)
