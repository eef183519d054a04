import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { matchesEtag } from '../pipeline/etag.ts'
import type { DocumentedChannel } from './channel.ts'
import { openApiDocument } from './document.ts'
import { referenceDocument } from './reference-document.ts'

/** Path of the interactive API reference, which only exists in development mode. */
export const referencePage = '/scalar/v1'

/** Serves the OpenAPI document of each channel, without authentication, and in development mode the API reference. */
export async function addApiDescription(
  app: FastifyInstance,
  channels: readonly DocumentedChannel[],
  mode: 'production' | 'development',
): Promise<void> {
  for (const channel of channels) serveDocument(app, channel.address, () => openApiDocument(channel))
  if (mode === 'production') return
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const sources = channels.map((channel) => {
    const url = `${referencePage}/documents${channel.address}`
    serveDocument(app, url, () => referenceDocument(openApiDocument(channel)))
    return { url, title: channel.title }
  })
  await app.register(reference, {
    routePrefix: referencePage,
    configuration: {
      sources,
      // An absolute path works with and without a trailing slash in the URL of the page.
      cdn: `${referencePage}/js/scalar.js`,
      // Nothing is loaded from other hosts or sent to them.
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
}

/**
 * Serves a document that is built at the first request and never changes. Everybody may ask for it, so a request costs
 * neither a hash of the document nor a copy of it.
 */
export function serveDocument(app: FastifyInstance, address: string, build: () => object): void {
  let document: { content: Buffer; etag: string } | undefined
  app.get(address, async (request, reply) => {
    document ??= encodeDocument(build())
    const { content, etag } = document
    reply.header('etag', etag).header('cache-control', 'no-cache').header('access-control-allow-origin', '*')
    if (matchesEtag(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(content)
  })
}

function encodeDocument(document: object): { content: Buffer; etag: string } {
  const content = Buffer.from(JSON.stringify(document))
  return { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` }
}
