import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Problem } from '../../api/problem.ts'
import { type Session, signIn } from '../../api/session.ts'
import { IconAlertTriangle } from '../../components/icons.ts'
import { ProblemAlert } from '../../components/problem-view.tsx'
import { type Texts, textFor, useTexts } from '../../texts/texts.tsx'

type LocalSignInFormProps = { clientId?: string; onSignedIn: (session: Session) => void }

/** Signs in a local administrator by client ID and secret. */
export function LocalSignInForm({ clientId = '', onSignedIn }: LocalSignInFormProps) {
  const texts = useTexts()
  const form = useForm({ initialValues: { clientId, clientSecret: '' } })
  const id = useRef<HTMLInputElement>(null)
  const secret = useRef<HTMLInputElement>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (values: typeof form.values) => signIn(values.clientId.trim(), values.clientSecret),
    onSuccess: onSignedIn,
  })
  const isKnown = clientId !== ''
  useEffect(() => (isKnown ? secret : id).current?.focus(), [isKnown])
  useEffect(() => {
    if (error) secret.current?.select()
  }, [error])
  return (
    <form onSubmit={form.onSubmit((values) => mutate(values))}>
      <Stack gap="sm">
        <TextInput
          ref={id}
          label={texts.signIn.clientId}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus={!isKnown || undefined}
          {...form.getInputProps('clientId')}
        />
        <PasswordInput
          ref={secret}
          label={texts.signIn.clientSecret}
          required
          withAsterisk={false}
          data-autofocus={isKnown || undefined}
          visibilityToggleButtonProps={{ 'aria-label': texts.signIn.showSecret }}
          {...form.getInputProps('clientSecret')}
        />
        <SignInFailure error={error} />
        <Button type="submit" loading={isPending} fullWidth>
          {texts.signIn.submit}
        </Button>
      </Stack>
    </form>
  )
}

function SignInFailure({ error }: { error: unknown }) {
  const texts = useTexts()
  if (!error) return null
  const explanation = error instanceof Problem ? explanationOf(error, texts) : undefined
  return explanation ? <SignInAlert text={explanation} /> : <ProblemAlert error={error} />
}

export function SignInAlert({ text }: { text: string }) {
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />}>
      {text}
    </Alert>
  )
}

function explanationOf({ status, code, retryAfterSeconds }: Problem, { signIn }: Texts): string | undefined {
  if (status === 429 && retryAfterSeconds) return signIn.tooManyAttempts(retryAfterSeconds)
  return textFor(signIn.errors, code)
}
