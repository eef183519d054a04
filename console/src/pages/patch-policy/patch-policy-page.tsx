import { Anchor, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { useLive } from '../../live/use-live.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { useRestartWords } from '../patch-policies/describe-restart.ts'
import { useRuleWords } from '../patch-policies/describe-rule.ts'
import { type PatchPolicy, policiesKey, policyQuery } from '../patch-policies/policies.ts'
import { Rehearsal } from '../patch-policies/rehearsal.tsx'
import { PolicyActions } from './policy-actions.tsx'
import { PolicyAssignments } from './policy-assignments.tsx'
import { PolicyProgress } from './policy-progress.tsx'

export function PatchPolicyPage() {
  const id = Number(useParams().id)
  const texts = usePatchPolicyTexts()
  const mayApprove = useHasRole('pm.approve')
  useLive({ types: ['muster.patch.policy-changed', 'muster.assignment.*'], refreshes: [policiesKey] })
  const { data, error, refetch } = useQuery(policyQuery(id))
  if (!data)
    return (
      <Page title={texts.policy}>
        {error ? <ProblemView error={error} onRetry={refetch} /> : <Loading height={160} />}
      </Page>
    )
  const { name, description, rules } = data.value
  return (
    <Page title={name} intro={description} actions={mayApprove && <PolicyActions version={data} />}>
      <Rules policy={data.value} />
      <Rings policy={data.value} />
      <Restarts policy={data.value} />
      <PolicyProgress policy={data.value} />
      <PolicyAssignments policyId={id} />
      <Section title={texts.rehearsal.title}>
        <Rehearsal rules={rules} />
      </Section>
    </Page>
  )
}

function Rules({ policy: { rules, priority } }: { policy: PatchPolicy }) {
  const texts = usePatchPolicyTexts()
  const words = useRuleWords()
  return (
    <Section title={texts.rules}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {texts.rulesHint} {texts.fields.priority}: {priority}. {texts.priorityHint}
        </Text>
        <List type="ordered">
          {rules.map((rule, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a rule.
            <List.Item key={at} className="breakable">
              <Text component="span" fw={600}>
                {rule.name}
              </Text>
              <Text size="sm">
                {words(rule).does}: {words(rule).matches}
              </Text>
            </List.Item>
          ))}
        </List>
      </Stack>
    </Section>
  )
}

/** The rings in their order, each with what opens the next one. */
function Rings({ policy: { rings } }: { policy: PatchPolicy }) {
  const { ring: texts } = usePatchPolicyTexts()
  if (rings.length === 0) return null
  return (
    <Section title={texts.title}>
      <List type="ordered">
        {rings.map(({ name, groupId, groupPath, percent, afterDays, gate }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a ring.
          <List.Item key={at} className="breakable">
            <Text component="span" fw={600}>
              {name}
            </Text>
            <Text size="sm">
              {groupId ? (
                groupPath ? (
                  <Anchor component={Link} to={`/groups/${groupId}`} inherit>
                    {groupPath}
                  </Anchor>
                ) : (
                  texts.ofDeletedGroup
                )
              ) : percent ? (
                texts.ofPercent(percent)
              ) : (
                texts.rest
              )}
              {afterDays > 0 && ` ${at === 0 ? texts.daysAfterApproval(afterDays) : texts.daysAfterRing(afterDays)}`}
            </Text>
            <Text size="sm" c="dimmed">
              {texts.gate(gate.minInstalledPercent, gate.maxFailedPercent, gate.minComputers)}
            </Text>
          </List.Item>
        ))}
      </List>
    </Section>
  )
}

/** When the policy restarts computers that need it. */
function Restarts({ policy: { restart } }: { policy: PatchPolicy }) {
  const { restart: texts } = usePatchPolicyTexts()
  const describe = useRestartWords()
  const words = restart && describe(restart)
  return (
    <Section title={texts.title}>
      {words ? (
        <Stack gap="xs">
          <List>
            {words.windows.map((window) => (
              <List.Item key={window}>{window}</List.Item>
            ))}
          </List>
          <Text size="sm" c="dimmed">
            {words.zone} {words.people}
          </Text>
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {texts.none}
        </Text>
      )}
    </Section>
  )
}
