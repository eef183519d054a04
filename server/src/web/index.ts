import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Authenticate } from '../platform/authentication/authenticate.ts'
import { mount } from '../platform/mount.ts'
import type { Services } from '../platform/services.ts'
import { getSession } from './get-session.ts'
import { getSignInMethods } from './get-sign-in-methods.ts'
import { addLogOut } from './log-out.ts'
import { servePageFiles } from './page-files.ts'
import { signIn } from './sign-in.ts'
import { addSignInWithProvider } from './sign-in-with-provider.ts'
import { signOut } from './sign-out.ts'

/** What the console needs besides the API. */
const operations = [getSignInMethods, getSession, signIn, signOut]

export type WebOptions = {
  db: Database
  services: Services
  authenticate: Authenticate
  /** The folder with the built console. */
  folder: string
}

/** Mounts sign-in, sessions and the files of the console. They are not part of the API or its OpenAPI document. */
export async function mountWeb(app: FastifyInstance, { folder, ...parts }: WebOptions): Promise<void> {
  mount(app, operations, parts)
  addSignInWithProvider(app, parts.db, parts.services)
  addLogOut(app, parts.db, parts.services)
  await servePageFiles(app, folder)
}
