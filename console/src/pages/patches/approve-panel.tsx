import { Alert, Select, Text } from '@mantine/core'
import { visibleLine } from '@muster/text'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import type { PanelProps } from '../../actions/use-panels.ts'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { NamedList } from '../../components/named-list.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useTexts } from '../../texts/texts.tsx'

type Approvals = Schemas['PatchApprovals']

/** The limit of one request. */
const maxPatches = 500

type ApprovePanelProps = PanelProps & { patchIds: readonly number[]; onApproved: () => void }

/** Approves several patches for all their product versions, and puts them into a patch group if one is chosen. */
export function ApprovePanel({ patchIds, onApproved, ...panel }: ApprovePanelProps) {
  const { selection } = usePatchTexts()
  const { actions } = useTexts()
  const mayWrite = useHasRole('pm.write')
  const [group, setGroup] = useState<PickedPmGroup>()
  const isTooMany = patchIds.length > maxPatches
  const body = { patchIds: [...patchIds], ...(group && { pmGroupId: group.id }) }
  return (
    <ReviewPanel<Approvals>
      {...panel}
      action={{
        title: selection.title,
        label: selection.approve,
        isComplete: !isTooMany,
        requestKey: body,
        form: isTooMany ? (
          <Alert color="orange">{selection.tooMany(maxPatches)}</Alert>
        ) : (
          mayWrite && <PmGroupSelect value={group} onChange={setGroup} />
        ),
        send: ({ query, headers }) =>
          api.POST('/api/fleet/patches/approval', { params: { query, header: headers }, body }),
        describe: ({ answer }) =>
          group ? selection.approvesInto(answer.patchCount, group.name) : selection.approves(answer.patchCount),
        details: ({ answer }) => <ApprovalDetails answer={answer} />,
        done(answer) {
          onApproved()
          return {
            text: selection.approved(answer.patchCount),
            undo: {
              label: actions.undo,
              run: () => api.POST('/api/fleet/patches/revocation', { body: toRevocation(answer) }),
              done: selection.revoked,
            },
          }
        },
        refreshes: [['patches']],
      }}
    />
  )
}

/** Takes back what the approval has changed, and nothing that was there before. */
const toRevocation = ({ newApprovals, pmGroupId, added }: Approvals) => ({
  approvals: newApprovals,
  ...(pmGroupId !== null && added.length > 0 && { pmGroupId, pmGroupPatches: added }),
})

function ApprovalDetails({ answer }: { answer: Approvals }) {
  const { selection } = usePatchTexts()
  const { firstPatches, patchCount, lackingComputers, reachedComputers, otherCategory } = answer
  const { withoutGroup, withoutGroupCount } = answer
  return (
    <>
      {/* Those that reach nobody are named below. */}
      {withoutGroupCount < patchCount && <NamedList items={firstPatches.map(toItem)} total={patchCount} />}
      <Text fw={600}>{selection.reaches(reachedComputers, lackingComputers)}</Text>
      {withoutGroupCount > 0 && (
        <Alert color="orange" title={selection.withoutGroup(withoutGroupCount)}>
          {selection.withoutGroupHint}
          <NamedList items={withoutGroup.map(toItem)} total={withoutGroupCount} />
        </Alert>
      )}
      {otherCategory > 0 && <Text c="dimmed">{selection.otherCategory(otherCategory)}</Text>}
    </>
  )
}

const toItem = ({ patchId, patchName }: Approvals['firstPatches'][number]) => ({
  id: patchId,
  text: patchName ?? `#${patchId}`,
})

type PickedPmGroup = { id: number; name: string }

type PmGroupSelectProps = { value: PickedPmGroup | undefined; onChange: (group: PickedPmGroup | undefined) => void }

/** Installations have few patch groups. */
const maxPmGroups = 1_000

function PmGroupSelect({ value, onChange }: PmGroupSelectProps) {
  const { selection } = usePatchTexts()
  const { data } = useQuery({
    queryKey: ['patches', 'groups', 'choice'],
    queryFn: () => answerOf(api.GET('/api/pmgroup', { params: { query: { top: maxPmGroups } } })),
  })
  const groups = data?.items ?? []
  return (
    <Select
      label={selection.into}
      description={selection.intoHint}
      placeholder={selection.noGroup}
      clearable
      searchable
      data={groups.map(({ id, name, assignmentCount }) => ({
        value: String(id),
        label: visibleLine(selection.groupOption(name, assignmentCount)),
      }))}
      value={value ? String(value.id) : null}
      onChange={(id) => onChange(groups.find((group) => String(group.id) === id))}
    />
  )
}
