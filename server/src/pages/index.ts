import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Authenticate } from '../platform/authentication/authenticate.ts'
import { mount } from '../platform/mount.ts'
import type { Area } from '../platform/operation.ts'
import type { Services } from '../platform/services.ts'
import { getSession } from './get-session.ts'
import { getSignInWays } from './get-sign-in-ways.ts'
import { addLogOut } from './log-out.ts'
import { servePageFiles } from './page-files.ts'
import { signIn } from './sign-in.ts'
import { addSignInWithProvider } from './sign-in-with-provider.ts'
import { signOut } from './sign-out.ts'

const pages: Area = {
  name: 'Pages',
  description: 'What the pages at /admin need besides the API.',
  operations: [getSignInWays, getSession, signIn, signOut],
}

export type PagesOptions = {
  db: Database
  services: Services
  authenticate: Authenticate
  /** Where the built files lie. */
  folder: string
}

/** Mounts the pages. They are no part of the API and of its description. */
export async function mountPages(app: FastifyInstance, { folder, ...parts }: PagesOptions): Promise<void> {
  mount(app, [pages], parts)
  addSignInWithProvider(app, parts.db, parts.services)
  addLogOut(app, parts.db, parts.services)
  await servePageFiles(app, folder)
}
