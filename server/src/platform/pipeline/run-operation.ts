import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { QuietStream } from '../http/quiet-stream.ts'
import { type FileToSend, sendFile } from '../http/send-file.ts'
import { sendQuietStream } from '../http/send-quiet-stream.ts'
import { sendText } from '../http/send-text.ts'
import { type AnyOperation, csvType, eventStreamType, fileType } from '../operation.ts'
import { answerWithHandler, callHandler } from './call-handler.ts'
import { checkRequest } from './check-request.ts'
import { runChange } from './run-change.ts'
import type { FinishedAnswer, OperationRun } from './run-context.ts'
import { runRead } from './run-read.ts'

/**
 * The pipeline that every request to an operation passes once its caller is authenticated and has the role:
 * validation, the handler (in a transaction if the operation changes something), the answer.
 */
export async function runOperation(run: OperationRun, reply: FastifyReply): Promise<FastifyReply> {
  const { context, operation, request } = run
  const { execution } = operation
  checkRequest(operation, request)
  if (operation.answerType === fileType) {
    const { downloads, downloadRates } = context.services
    if (execution.kind === 'Download') await downloads[execution.by].begin(request, reply)
    const { result, headers } = await callHandler(run, context.db)
    const pacers = execution.kind === 'Download' ? downloadRates(request) : []
    return sendFile(request, reply.headers(headers), result as FileToSend, {
      requireAccess: request.access?.require,
      pacers,
    })
  }
  if (operation.answerType === csvType) {
    const { result, headers } = await callHandler(run, context.db)
    return sendText(
      request,
      reply.headers(headers).type(csvType),
      result as AsyncIterable<string>,
      request.access?.require,
    )
  }
  if (operation.answerType === eventStreamType) {
    const { result } = await callHandler(run, context.db)
    if (result instanceof QuietStream) return sendQuietStream(reply, result)
    // Proxies that collect an answer before they forward it would delay events.
    return reply
      .type(eventStreamType)
      .header('x-accel-buffering', 'no')
      .send(result as Readable)
  }
  return sendAnswer(reply, operation, await answerRun(run))
}

async function answerRun(run: OperationRun): Promise<FinishedAnswer> {
  const { context, operation } = run
  // A stream can be read only once, so what receives it is never repeated.
  if (operation.execution.kind === 'Upload') return (await answerWithHandler(run, context.db)).answer
  return operation.mutates ? runChange(run) : runRead(run)
}

function sendAnswer(reply: FastifyReply, { answerType }: AnyOperation, answer: FinishedAnswer): FastifyReply {
  reply.code(answer.status).headers(answer.headers)
  if (answer.body === undefined) return reply.send()
  return reply.type(answerType ?? 'application/json; charset=utf-8').send(answer.body)
}
