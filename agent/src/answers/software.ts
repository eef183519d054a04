import type { ComputerSoftware, UserChoicesAnswer } from '../protocol.ts'
import { clamped, instant, listOf, objectOf, oneOf, orNull, text } from './readers.ts'

type Software = ComputerSoftware['software'][number]
type HistoryEntry = ComputerSoftware['history'][number]
type OwnRequest = ComputerSoftware['requests'][number]

const shortText = text(1_000)
const hash = text(64, /^[\da-f]{64}$/, 'a SHA-256')

const software = objectOf<Software>({
  packageId: text(100),
  name: shortText,
  version: shortText,
  description: shortText,
  category: text(200),
  iconSha256: orNull(hash),
  state: oneOf<Software['state']>(),
  action: orNull(text(50)),
  sinceUtc: orNull(instant),
  offeredUntilUtc: orNull(instant),
  reasons: listOf(
    objectOf<Software['reasons'][number]>({
      reason: text(50),
      untilUtc: orNull(instant),
      packages: listOf(shortText, 100),
    }),
    100,
  ),
  postponementsLeft: clamped(0, 1_000),
})

const historyEntry = objectOf<HistoryEntry>({
  name: shortText,
  version: shortText,
  result: oneOf<HistoryEntry['result']>(),
  action: orNull(text(50)),
  atUtc: instant,
})

const ownRequest = objectOf<OwnRequest>({
  requestId: text(100),
  wish: shortText,
  user: shortText,
  state: oneOf<OwnRequest['state']>(),
  answer: text(2_000),
  requestedUtc: instant,
})

export const computerSoftware = objectOf<ComputerSoftware>({
  software: listOf(software, 2_000),
  history: listOf(historyEntry, 200),
  requests: listOf(ownRequest, 200),
})

export const userChoicesAnswer = objectOf<UserChoicesAnswer>({
  choices: listOf(objectOf<UserChoicesAnswer['choices'][number]>({ choiceId: text(100), outcome: oneOf() }), 100),
})
