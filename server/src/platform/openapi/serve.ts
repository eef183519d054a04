import type { FastifyInstance } from 'fastify'
import { etagOf, matchesEtag } from '../pipeline/etag.ts'
import type { Channel } from './channel.ts'
import { openApiDocument } from './document.ts'

/** Where the interactive reference is, in development mode. */
export const referencePage = '/scalar/v1'

/** Serves the document of each channel to everybody, and in development mode the interactive reference made from them. */
export async function addApiDescription(
  app: FastifyInstance,
  channels: readonly Channel[],
  mode: 'production' | 'development',
): Promise<void> {
  for (const channel of channels) serveDocument(app, channel)
  if (mode === 'production') return
  const { default: reference } = await import('@scalar/fastify-api-reference')
  await app.register(reference, {
    routePrefix: referencePage,
    configuration: {
      sources: channels.map(({ address, title }) => ({ url: address, title })),
      // By an absolute path, so that the page works with and without a slash at its end.
      cdn: `${referencePage}/js/scalar.js`,
      // Nothing is loaded from, or offered at, other hosts.
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
}

function serveDocument(app: FastifyInstance, channel: Channel): void {
  let text: string | undefined
  app.get(channel.address, async (request, reply) => {
    text ??= JSON.stringify(openApiDocument(channel))
    const etag = etagOf(text)
    reply.header('etag', etag).header('cache-control', 'no-cache').header('access-control-allow-origin', '*')
    if (matchesEtag(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(text)
  })
}
