import { Anchor, Button, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readFeatures, readSession, type Session, signInAddress } from '../../api/session.ts'
import { useTexts } from '../../texts/texts.tsx'
import { LocalSignInForm } from './local-sign-in-form.tsx'

type SignInAgainProps = { session: Session; onSignedIn: (session: Session) => unknown }

/** Covers the page after its session has ended and keeps all input on it. */
export function SignInAgain({ session, onSignedIn }: SignInAgainProps) {
  const texts = useTexts()
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={texts.signIn.againTitle}
      size="sm"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      overlayProps={{ blur: 12, backgroundOpacity: 0.7 }}
      zIndex={500}
    >
      <Stack>
        <Text size="sm">{texts.signIn.againText}</Text>
        {session.provider === null ? (
          <LocalSignInForm clientId={session.principal.subjectId} onSignedIn={onSignedIn} />
        ) : (
          <ProviderInNewWindow name={session.provider} onSignedIn={onSignedIn} />
        )}
        <Anchor size="sm" href="/admin/sign-in">
          {texts.signIn.leave}
        </Anchor>
      </Stack>
    </Modal>
  )
}

/** Signing in with a provider leaves the page, so it opens in a new window. Returning to this window checks the session. */
function ProviderInNewWindow({ name, onSignedIn }: { name: string; onSignedIn: (session: Session) => unknown }) {
  const texts = useTexts()
  const { data } = useQuery({ queryKey: ['features'], queryFn: readFeatures })
  const displayName = data?.oidcLoginProviders.find((provider) => provider.name === name)?.displayName ?? name
  useEffect(() => {
    const look = () => readSession().then(onSignedIn, () => undefined)
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [onSignedIn])
  return (
    <Button component="a" href={signInAddress(name)} target="_blank">
      {texts.signIn.againElsewhere(displayName)}
    </Button>
  )
}
