import { Alert, Anchor, Button, Group, PasswordInput, Progress, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { IconCheck } from '../../components/icons.ts'
import { Section } from '../../components/section.tsx'
import { useDesiredStateTexts } from '../../texts/desired-state-texts.ts'
import { StateProblem } from './state-problem.tsx'
import { isApplicable, type Planned } from './state-requests.ts'
import type { useApply } from './use-apply.ts'

type ApplySectionProps = { planned: Planned; apply: ReturnType<typeof useApply>; onPlan: () => void }

/** Applies the plan that is shown, and nothing else. Removals are confirmed by their number. */
export function ApplySection({ planned, apply, onPlan }: ApplySectionProps) {
  const texts = useDesiredStateTexts()
  const { state } = apply
  return (
    <Section title={texts.apply}>
      <Stack gap="sm">
        {state.phase === 'stopped' && <Stopped planned={planned} state={state} onPlan={onPlan} />}
        {state.phase === 'running' && <Running planned={planned} state={state} onStop={apply.stop} />}
        {state.phase === 'done' && <Done planned={planned} made={state.made} />}
        {(state.phase === 'idle' || state.phase === 'stopped') && (
          <ApplyForm planned={planned} isContinued={state.phase === 'stopped'} onApply={apply.start} />
        )}
      </Stack>
    </Section>
  )
}

type ApplyFormProps = {
  planned: Planned
  isContinued: boolean
  onApply: (planned: Planned, secrets: Record<string, string>) => unknown
}

function ApplyForm({ planned, isContinued, onApply }: ApplyFormProps) {
  const texts = useDesiredStateTexts()
  const { plan } = planned
  const [secrets, setSecrets] = useState<Record<string, string>>({})
  const [typed, setTyped] = useState('')
  const isConfirmed = plan.removed === 0 || typed.replace(/\D/g, '') === String(plan.removed)
  const hasSecrets = plan.secrets.every((reference) => (secrets[reference] ?? '') !== '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onApply(planned, secrets)
  }
  if (!isApplicable(plan)) return <Text size="sm">{texts.notApplicable}</Text>
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {texts.applyHint}
        </Text>
        {plan.secrets.length > 0 && <Text size="sm">{texts.secretsHint}</Text>}
        {plan.secrets.map((reference) => (
          <PasswordInput
            key={reference}
            label={reference}
            required
            autoComplete="off"
            maw={420}
            visibilityToggleButtonProps={{ 'aria-label': texts.showSecret(reference) }}
            value={secrets[reference] ?? ''}
            onChange={({ currentTarget: { value } }) => setSecrets((before) => ({ ...before, [reference]: value }))}
          />
        ))}
        {plan.removed > 0 && (
          <TextInput
            label={texts.typeRemovals(plan.removed)}
            inputMode="numeric"
            autoComplete="off"
            maw={420}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Group>
          <Button type="submit" {...(plan.removed > 0 && { color: 'red' })} disabled={!isConfirmed || !hasSecrets}>
            {isContinued ? texts.continue : texts.applyChanges(plan.changes.length)}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type RunningProps = { planned: Planned; state: { made: number; isStopping: boolean }; onStop: () => void }

function Running({ planned, state: { made, isStopping }, onStop }: RunningProps) {
  const texts = useDesiredStateTexts()
  const total = planned.plan.changes.length
  return (
    <Stack gap="xs">
      <Text size="sm" aria-live="polite">
        {texts.progress(made, total)}
      </Text>
      <Progress value={(made / total) * 100} aria-label={texts.progress(made, total)} />
      <Group>
        <Button variant="default" onClick={onStop} disabled={isStopping}>
          {isStopping ? texts.stopping : texts.stop}
        </Button>
      </Group>
    </Stack>
  )
}

type StoppedProps = { planned: Planned; state: { made: number; error?: unknown }; onPlan: () => void }

function Stopped({ planned, state: { made, error }, onPlan }: StoppedProps) {
  const texts = useDesiredStateTexts()
  return (
    <>
      {error !== undefined && <StateProblem error={error} places={planned.read.places} onPlan={onPlan} />}
      <Text size="sm">{texts.stopped(made, planned.plan.changes.length)}</Text>
    </>
  )
}

function Done({ planned: { rehearsal }, made }: { planned: Planned; made: number }) {
  const texts = useDesiredStateTexts()
  const waiting = (rehearsal?.work ?? []).filter(({ workItems }) => workItems !== 0)
  return (
    <Alert color="green" role="status" icon={<IconCheck aria-hidden />} title={texts.done(made)}>
      <Stack gap="xs">
        {waiting.length > 0 && (
          <>
            <Text size="sm">{texts.toActivate}</Text>
            {waiting.map(({ group }) => (
              <Text key={group} size="sm" className="breakable">
                {group}
              </Text>
            ))}
            <Anchor component={Link} to="/groups" size="sm">
              {texts.toGroups}
            </Anchor>
          </>
        )}
        <Anchor component={Link} to="/admin/audit" size="sm">
          {texts.toAudit}
        </Anchor>
      </Stack>
    </Alert>
  )
}
