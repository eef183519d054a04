import { expect, test } from 'vitest'
import { german } from '../../agent/src/self-service/texts-de.ts'
import { english } from '../../agent/src/self-service/texts-en.ts'
import { blockerReasons } from '../../server/src/features/hand-out/blockers.ts'
import { orderReasons } from '../../server/src/features/hand-out/execution-order.ts'

/** Nobody reads these on the page: its computer has an agent that makes contact, and the service leaves the others out. */
const neverShown = ['NoAgent', 'AgentQuarantined', 'AgentSilent', 'HandedOutByPxe', 'AlreadyLeased', 'NotRequested']

test.each([english, german])(
  'the self-service page in $locale has a sentence for each reason for which work can wait',
  (texts) => {
    const reasons = [...blockerReasons, ...orderReasons].filter((reason) => !neverShown.includes(reason))

    expect(Object.keys(texts.reasons).toSorted()).toEqual(reasons.toSorted())
  },
)
