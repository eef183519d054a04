import { Radio, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { DeploymentPlan } from '../../../actions/deployment-plan.tsx'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import type { RequestOptions } from '../../../actions/reviewed-action.ts'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import type { components } from '../../../api/types.ts'
import { NamedField } from '../../../components/named-field.tsx'
import { isPowerComplete, type Power, PowerFields } from '../../../components/user-deadline/power-fields.tsx'
import { useSession } from '../../../shell/session-context.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, groupKey } from '../group-queries.ts'
import { RingPreview } from './ring-preview.tsx'
import { firstPlan, isPlanComplete, type RolloutPlan, toRolloutRequest } from './rollout-plan.ts'
import { RolloutPlanFields } from './rollout-plan-fields.tsx'

type Activation = components['schemas']['GroupActivation']
type Rollout = components['schemas']['Rollout']

type DeployPanelProps = PanelProps & {
  page: GroupPageData
  /** A package to deploy, and nothing else. */
  packageId?: string | undefined
}

/** Brings what is assigned to the computers: ring by ring, or at once. */
export function DeployPanel({ page, packageId, ...panel }: DeployPanelProps) {
  const { groups } = useTexts()
  const { confirmCountAbove } = useSession()
  // Nobody reaches many computers at once by mistake.
  const [isStaged, setIsStaged] = useState(packageId !== undefined || page.computers > confirmCountAbove)
  const [plan, setPlan] = useState<RolloutPlan>(() => ({
    ...firstPlan(groups.rolloutName(page.name), groups.ringNames),
    packageId: packageId ?? null,
  }))
  const [srl, setSrl] = useState<Power | null>(null)
  const [settled] = useDebouncedValue(plan, 300)
  const send = ({ query, headers: header }: RequestOptions) =>
    isStaged
      ? api.POST('/api/rollouts', { params: { query, header }, body: toRolloutRequest(page.id, plan) })
      : api.POST('/api/group/{id}/activation', {
          params: { path: { id: page.id }, query, header },
          body: { software: true, ...(srl && { srl }) },
        })
  return (
    <ReviewPanel<Activation | Rollout>
      {...panel}
      action={{
        title: groups.deployTitle(page.name),
        label: groups.deploy,
        requestKey: isStaged ? settled : (srl ?? 'at once'),
        isComplete: isStaged ? settled === plan && isPlanComplete(plan) : isPowerComplete(srl),
        form: (
          <Stack>
            <Radio.Group
              label={groups.how}
              value={isStaged ? 'rings' : 'now'}
              onChange={(how) => setIsStaged(how === 'rings')}
            >
              <Stack gap="xs" mt="xs">
                <Radio data-autofocus value="rings" label={groups.inRings} description={groups.inRingsHint} />
                <Radio value="now" label={groups.atOnce} description={groups.atOnceHint} />
              </Stack>
            </Radio.Group>
            {!isStaged && <PowerFields value={srl} onChange={setSrl} />}
            {isStaged && (
              <>
                <NamedField name="name">
                  <TextInput
                    label={groups.name}
                    value={plan.name}
                    onChange={(event) => setPlan({ ...plan, name: event.currentTarget.value })}
                  />
                </NamedField>
                <RolloutPlanFields page={page} plan={plan} onChange={setPlan} />
              </>
            )}
          </Stack>
        ),
        send,
        confirms: ({ answer, computers = 0 }) => ('rolloutId' in answer ? computers : busyComputers(answer, computers)),
        describe: ({ answer, computers = 0 }) => {
          if ('rolloutId' in answer)
            return answer.rings.every(({ plannedWorkItems }) => plannedWorkItems === 0)
              ? groups.nothingDue
              : groups.deploysInRings(answer.ringCount, computers, page.path)
          return answer.trackingId === null
            ? groups.nothingDue
            : groups.deploysAtOnce(busyComputers(answer, computers), computers, page.path)
        },
        details: ({ answer }) =>
          'rolloutId' in answer ? <RingPreview rings={answer.rings} /> : <DeploymentPlan plan={answer.plan} />,
        done: (answer) => {
          if ('rolloutId' in answer) return { text: groups.rolloutStarted, to: `/rollouts/${answer.rolloutId}` }
          if (answer.trackingId === null) return { text: groups.nothingDue }
          return { text: groups.deployed, to: `/tasks/${answer.trackingId}` }
        },
        refreshes: [groupKey(page.id), ['rollouts'], ['tasks']],
      }}
    />
  )
}

/** The computers on which something is to be done. Who may not read computers learns only how many there are. */
const busyComputers = ({ plan }: Activation, computers: number) => computers - (plan?.nothingToDo ?? 0)
