import { Alert, Anchor, Button, Center, Divider, Group, Image, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { readFeatures, type Session, sessionKey, signInAddress } from '../../api/session.ts'
import { ProblemView } from '../../components/problem-view.tsx'
import { guideOfPage } from '../../shell/help/guide-of-page.ts'
import logo from '../../shell/muster.svg'
import { takeReturnPath } from '../../shell/return-path.ts'
import { ColourChoice, LanguageChoice } from '../../shell/settings.tsx'
import { useHelpTexts } from '../../texts/help-texts.ts'
import { textFor, useTexts } from '../../texts/texts.tsx'
import { LocalSignInForm, SignInAlert } from './local-sign-in-form.tsx'
import { SignInByLink, useLinkToken } from './sign-in-by-link.tsx'

export function SignInPage() {
  const texts = useTexts()
  const help = useHelpTexts()
  useEffect(() => {
    document.title = `${texts.signIn.title} · ${texts.shell.product}`
  }, [texts])
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Paper withBorder p="xl" shadow="sm">
          <Stack>
            <Group gap="sm">
              <Image src={logo} alt="" w={36} h={36} />
              <Text fw={700} size="xl">
                {texts.shell.product}
              </Text>
            </Group>
            <div>
              <Title order={1}>{texts.signIn.title}</Title>
              <Text c="dimmed" size="sm">
                {texts.signIn.intro}
              </Text>
            </div>
            <Outcome />
            <SignInMethods />
          </Stack>
        </Paper>
        <Group grow align="flex-start">
          <LanguageChoice />
          <ColourChoice />
        </Group>
        <Anchor href={guideOfPage('/admin/sign-in')} target="_blank" rel="noopener" size="sm" ta="center">
          {help.guide}
        </Anchor>
      </Stack>
    </Center>
  )
}

/** The outcome of the last sign-in with a provider, or of the sign-out. */
function Outcome() {
  const { signIn } = useTexts()
  const [params] = useSearchParams()
  const code = params.get('error')
  if (code) return <SignInAlert text={textFor(signIn.errors, code) ?? signIn.unknownError(code)} />
  return params.has('signedOut') ? <Alert role="status">{signIn.signedOut}</Alert> : null
}

function SignInMethods() {
  const texts = useTexts()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const linkToken = useLinkToken()
  const proceed = useCallback(
    (session: Session) => {
      queryClient.setQueryData(sessionKey, session)
      void navigate(takeReturnPath() ?? '/', { replace: true })
    },
    [navigate, queryClient],
  )
  const { data, error, refetch } = useQuery({ queryKey: ['features'], queryFn: readFeatures })
  if (error) return <ProblemView error={error} onRetry={refetch} />
  if (!data) return <Loader aria-label={texts.common.loading} />

  const { localAdminEnabled, oidcLoginProviders } = data
  if (!localAdminEnabled && oidcLoginProviders.length === 0) return <Alert>{texts.signIn.nothingOffered}</Alert>
  return (
    <Stack>
      {linkToken !== undefined && <SignInByLink key={linkToken} token={linkToken} onSignedIn={proceed} />}
      {oidcLoginProviders.map(({ name, displayName }) => (
        <Button key={name} component="a" href={signInAddress(name)} variant={localAdminEnabled ? 'default' : 'filled'}>
          {texts.signIn.withProvider(displayName)}
        </Button>
      ))}
      {localAdminEnabled && oidcLoginProviders.length > 0 && <Divider label={texts.signIn.or} />}
      {localAdminEnabled && <LocalSignInForm onSignedIn={proceed} />}
    </Stack>
  )
}
