import { expect, onTestFinished, test, vi } from 'vitest'
import { noAnswerNames, openNoAnswerServer } from '../../../tools/no-answers.ts'
import { sendHttpRequest } from '../src/send-http-request.ts'

const neverAborted = () => new AbortController().signal

test.each(noAnswerNames)(
  'a request that gets %s ends at its limit at the latest, with its connection',
  async (name) => {
    const server = await openNoAnswerServer(name)
    onTestFinished(server.close)

    const response = sendHttpRequest(new URL(server.address), { agent: false, signal: AbortSignal.timeout(300) })

    await expect(response).rejects.toThrow()
    await vi.waitFor(() => expect(server.openConnections()).toBe(0), 5_000)
    expect(server.requests()).toBe(1)
  },
)

test.each(['a change to another protocol', 'the same without its headers'] as const)(
  'a request that gets %s fails at once and says why',
  async (name) => {
    const server = await openNoAnswerServer(name)
    onTestFinished(server.close)

    const response = sendHttpRequest(new URL(server.address), { agent: false, signal: neverAborted() })

    await expect(response).rejects.toThrow('it answered 101')
  },
)
