import { Center, Loader } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { hasStatus } from '../api/problem.ts'
import { readSession, type Session, sessionEvents, sessionKey } from '../api/session.ts'
import { ProblemView } from '../components/problem-view.tsx'
import { LiveProvider } from '../live/live-provider.tsx'
import { useTexts } from '../texts/texts.tsx'
import { Layout } from './layout.tsx'
import { rememberReturnPath, takeReturnPath } from './return-path.ts'
import { SessionContext } from './session-context.ts'
import { useSessionEnd } from './use-session-end.ts'

const loadSignInAgain = () => import('../pages/sign-in/sign-in-again.tsx')
const SignInAgain = lazy(async () => ({ default: (await loadSignInAgain()).SignInAgain }))

// Some time after the first view, and long before a session ends: by then the service may have newer files.
const loadAheadMilliseconds = 5_000

/** Everything that requires a session. */
export function SignedIn() {
  const texts = useTexts()
  const {
    data: session,
    error,
    refetch,
  } = useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: Infinity })
  if (session) return <InSession session={session} />
  if (hasStatus(error, 401)) return <ToSignIn />
  return (
    <Center mih="100vh" p="md">
      {error ? <ProblemView error={error} onRetry={refetch} /> : <Loader aria-label={texts.common.loading} />}
    </Center>
  )
}

function ToSignIn() {
  const location = useLocation()
  useEffect(() => rememberReturnPath(location), [location])
  return <Navigate to="/admin/sign-in" replace />
}

/** A sign-in at an identity provider leads to the start page: continues to the page that was requested before it. */
function ReturnToPage() {
  const [path] = useState(takeReturnPath)
  return path === undefined ? null : <Navigate to={path} replace />
}

function InSession({ session }: { session: Session }) {
  useEffect(() => {
    // Offline, it is loaded when it is needed.
    const timer = setTimeout(() => loadSignInAgain().catch(() => undefined), loadAheadMilliseconds)
    return () => clearTimeout(timer)
  }, [])
  const queryClient = useQueryClient()
  const [hasEnded, resume] = useSessionEnd(session)
  const continueWith = (renewed: Session) => {
    // The content of the page belongs to the person who was signed in before.
    if (renewed.principal.id !== session.principal.id) return location.reload()
    queryClient.setQueryData(sessionKey, renewed)
    sessionEvents.dispatchEvent(new Event('renewed'))
    resume()
    return queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
  }
  return (
    <SessionContext value={session}>
      <LiveProvider>
        <ReturnToPage />
        <Layout />
      </LiveProvider>
      <Suspense>{hasEnded && <SignInAgain session={session} onSignedIn={continueWith} />}</Suspense>
    </SessionContext>
  )
}
