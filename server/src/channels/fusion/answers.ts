import { deflateSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Agents recognise packed XML by its first two bytes. Only this compression level produces the bytes they expect. */
const compressionLevel = 6

/** Answers a message in XML. The answer is always packed, because one of the agents accepts nothing else. */
export function sendXml(request: FastifyRequest, reply: FastifyReply, values: Record<string, string>): FastifyReply {
  const elements = Object.entries(values).map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`)
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<REPLY>${elements.join('')}</REPLY>\n`
  const requestType = request.headers['content-type']?.split(';')[0] ?? ''
  const type = /^application\/x-compress(-zlib)?$/.test(requestType) ? requestType : 'application/x-compress-zlib'
  return reply.type(type).send(deflateSync(xml, { level: compressionLevel }))
}

export function sendJson(request: FastifyRequest, reply: FastifyReply, value: object): FastifyReply {
  const requestId = request.headers['glpi-request-id']
  if (typeof requestId === 'string' && /^[\dA-F]{8}$/i.test(requestId)) reply.header('glpi-request-id', requestId)
  // As bytes, because Fastify would otherwise add the charset to the content type.
  return reply.header('content-type', 'application/json').send(Buffer.from(toAsciiJson(value)))
}

/** FusionInventory agents do not decode UTF-8 in JSON, but they understand escaped characters. */
function toAsciiJson(value: object): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replaceAll(/[\u0080-\uffff]/g, escapeUnit)
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
