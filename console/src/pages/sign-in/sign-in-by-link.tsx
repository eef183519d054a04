import { Loader, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { readSession, type Session, signInByLink } from '../../api/session.ts'
import { textFor, useTexts } from '../../texts/texts.tsx'
import { SignInAlert } from './local-sign-in-form.tsx'

const fragment = /^#link=([\w-]+)$/

/** Reads the token of a sign-in link and removes it from the address so that it stays in no history. */
function takeLinkToken(): string | undefined {
  const [, token] = fragment.exec(location.hash) ?? []
  if (token !== undefined) history.replaceState(history.state, '', location.pathname + location.search)
  return token
}

/** The token of the link that was opened, also of one that is opened while the page is shown: that loads no page. */
export function useLinkToken(): string | undefined {
  const [token, setToken] = useState(takeLinkToken)
  useEffect(() => {
    const take = () => setToken((before) => takeLinkToken() ?? before)
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return token
}

type SignInByLinkProps = { token: string; onSignedIn: (session: Session) => void }

/** Signs in with the token of a link. A browser in which somebody is signed in stays as it is. */
export function SignInByLink({ token, onSignedIn }: SignInByLinkProps) {
  const { signIn } = useTexts()
  const [isSeen] = useState(whenSeen)
  const { data, error } = useQuery({
    queryKey: ['sign-in link', token],
    queryFn: async () => {
      await isSeen
      return readSession().catch(() => signInByLink(token))
    },
    retry: false,
    staleTime: Infinity,
  })
  useEffect(() => {
    if (data) onSignedIn(data)
  }, [data, onSignedIn])
  if (!error)
    return (
      <Text role="status" size="sm">
        <Loader size="xs" mr="xs" aria-hidden />
        {signIn.byLink}
      </Text>
    )
  const { code, message } = asProblem(error)
  return <SignInAlert text={textFor(signIn.errors, code) ?? message} />
}

/** Browsers may load and run a page before anybody opens it. That must not use up the link. */
async function whenSeen(): Promise<void> {
  const isLoadedAhead = (document as Document & { prerendering?: boolean }).prerendering === true
  if (isLoadedAhead)
    await new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, { once: true }))
}
