import { expect, onTestFinished, test } from 'vitest'
import { noAnswerNames, openNoAnswerServer } from '../../../tools/no-answers.ts'
import { sendWebhook } from '../../src/features/webhooks/send-webhook.ts'
import { readConfiguration } from '../../src/platform/configuration.ts'

test.each(noAnswerNames)('a message to a receiver that sends %s ends at its time limit at the latest', async (name) => {
  const receiver = await openNoAnswerServer(name)
  onTestFinished(receiver.close)
  const settings = readConfiguration({ MUSTER_WEBHOOK_PRIVATE_HOSTS: receiver.host })
  const message = { url: receiver.address, headers: {} as never, body: '{}' }

  const outcome = await sendWebhook(message, settings, AbortSignal.timeout(300))

  expect(outcome).toMatchObject({ status: null, error: expect.any(String) })
})
