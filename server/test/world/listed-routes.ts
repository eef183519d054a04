import type { FastifyInstance } from 'fastify'

/** The routes of the application below a path, each as `METHOD /path`, in the order in which they are printed. */
export function listRoutes(app: FastifyInstance, below: string): string[] {
  const prefixes: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent, path, methods] = /^((?:[│ ] {3})*)[├└]── (\S+) \(([^)]+)\)/.exec(line) ?? []
      if (indent === undefined || path === undefined) return []
      const depth = indent.length / 4
      const url = `${prefixes.slice(0, depth).join('')}${path}`
      prefixes[depth] = path
      return url.startsWith(below) ? (methods ?? '').split(', ').map((method) => `${method} ${url}`) : []
    })
}
