import { deflateSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Agents know packed XML by its first two bytes, which those of the usual level are. */
const usualLevel = 6

/** The answer to a message in XML: always packed, because one of the agents takes nothing else. */
export function sendXml(request: FastifyRequest, reply: FastifyReply, values: Record<string, string>): FastifyReply {
  const elements = Object.entries(values).map(([name, value]) => `<${name}>${escaped(value)}</${name}>`)
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<REPLY>${elements.join('')}</REPLY>\n`
  const asked = request.headers['content-type']?.split(';')[0] ?? ''
  const type = /^application\/x-compress(-zlib)?$/.test(asked) ? asked : 'application/x-compress-zlib'
  return reply.type(type).send(deflateSync(xml, { level: usualLevel }))
}

export function sendJson(request: FastifyRequest, reply: FastifyReply, value: object): FastifyReply {
  const requestId = request.headers['glpi-request-id']
  if (typeof requestId === 'string' && /^[\dA-F]{8}$/i.test(requestId)) reply.header('glpi-request-id', requestId)
  // As bytes, because Fastify would add the encoding to the type.
  return reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify(value)))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
