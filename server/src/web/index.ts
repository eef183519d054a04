import type { FastifyInstance } from 'fastify'
import { type MountParts, mount } from '../platform/mount.ts'
import type { AnyOperation } from '../platform/operation.ts'
import { serveConsoleFiles } from './console-files.ts'
import { getSession } from './get-session.ts'
import { getSignInMethods } from './get-sign-in-methods.ts'
import { addLogOut } from './log-out.ts'
import { signIn } from './sign-in.ts'
import { signInWithLink } from './sign-in-with-link.ts'
import { addSignInWithProvider } from './sign-in-with-provider.ts'
import { signOut } from './sign-out.ts'

/** The operations of the console that are not part of the API. */
export const webOperations: readonly AnyOperation[] = [getSignInMethods, getSession, signIn, signInWithLink, signOut]

export type WebOptions = MountParts & {
  /** The folder with the built console. */
  folder: string
}

/** Mounts sign-in, sessions and the files of the console. The OpenAPI document does not contain them. */
export async function mountWeb(app: FastifyInstance, { folder, ...parts }: WebOptions): Promise<void> {
  const { db } = parts.lanes.signIn
  mount(app, webOperations, { ...parts, lane: 'signIn' })
  addSignInWithProvider(app, db, parts.services)
  addLogOut(app, db, parts.services)
  await serveConsoleFiles(app, folder)
}
