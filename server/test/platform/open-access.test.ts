import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { noContent, operation } from '../../src/platform/operation.ts'
import { closed } from '../../src/platform/schema.ts'
import { openWorld } from '../world/open-world.ts'

/** More than the service lets pass between two checks. */
const longStepMs = 2_100

let betweenSteps: () => Promise<unknown> = async () => {}

const writeInSteps = operation({
  id: 'writeInSteps',
  route: 'POST /api/tags/steps',
  summary: 'Write two tags, one after the other',
  role: 'package.write',
  execution: { kind: 'StepwiseChange' },
  body: closed({}),
  returns: noContent,
  async handle({ step }) {
    for (const designation of ['first', 'second']) {
      await step(`/api/tags/${designation}`, (tx) => tx.insertInto('tags').values({ designation }).execute())
      await betweenSteps()
    }
  },
})

const { app, db, given, withToken } = await openWorld({ operations: [writeInSteps] })

const writtenTags = async () =>
  (await db.selectFrom('tags').select('designation').where('is_read_only', '=', false).orderBy('id').execute()).map(
    ({ designation }) => designation,
  )

test('a change in steps ends before the next step when its principal is revoked', async () => {
  const { id } = await given.localPrincipal({ roles: ['package.write'] })
  betweenSteps = async () => {
    await db.updateTable('local_principals').set({ is_revoked: true }).where('principal_id', '=', id).execute()
    await sleep(longStepMs)
  }

  const answer = await withToken(await app.services.tokens.issue(id)).call(writeInSteps, { body: {} })

  expect(answer.status).toBe(401)
  expect(await writtenTags()).toEqual(['first'])
})
