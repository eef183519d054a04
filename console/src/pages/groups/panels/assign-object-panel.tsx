import { NativeSelect, Select, Stack, Text } from '@mantine/core'
import { visibleLine } from '@muster/text'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { ProblemAlert } from '../../../components/problem-view.tsx'
import { useGroupObjectTexts } from '../../../texts/group-object-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, groupKey } from '../group-queries.ts'
import {
  type AssignableObject,
  type AssignableType,
  assignableQuery,
  assignableTypes,
  assignObject,
  singleTypes,
} from './assignable-objects.ts'
import { removeAssignment } from './remove-assignment-panel.tsx'

/** Assigns to the group what is not a package: a software class, an operating system, a template and others. */
export function AssignObjectPanel({ page, ...panel }: PanelProps & { page: GroupPageData }) {
  const texts = useGroupObjectTexts()
  const { actions, groups } = useTexts()
  const [type, setType] = useState<AssignableType>('SoftwareClass')
  const [picked, setPicked] = useState<AssignableObject>()
  const objects = useQuery(assignableQuery(type))
  const labelOf = ({ name, edition }: AssignableObject) => (edition ? texts.edition(edition.name, name) : name)
  const name = picked ? labelOf(picked) : ''
  const present = singleTypes.includes(type)
    ? page.assignments.find((one) => one.type === type && !one.isInherited && one.objectId !== picked?.id)
    : undefined
  return (
    <ReviewPanel<{ alreadyAssigned: boolean }>
      {...panel}
      action={{
        title: texts.assignTitle(page.name),
        label: texts.submit,
        requestKey: [type, picked?.id],
        isComplete: picked !== undefined,
        form: (
          <Stack gap="sm">
            <NativeSelect
              data-autofocus
              label={texts.type}
              data={assignableTypes.map((value) => ({ value, label: groups.types[value] }))}
              value={type}
              onChange={(event) => {
                setType(event.currentTarget.value as AssignableType)
                setPicked(undefined)
              }}
            />
            <Select
              label={texts.object}
              data={(objects.data ?? []).map((one) => ({ value: one.id, label: visibleLine(labelOf(one)) }))}
              value={picked?.id ?? null}
              onChange={(id) => setPicked(objects.data?.find((one) => one.id === id))}
              searchable
              nothingFoundMessage={texts.none}
            />
            <ProblemAlert error={objects.error} />
          </Stack>
        ),
        send: (options) => assignObject(page.id, type, picked ?? { id: '', name: '' }, options),
        describe: ({ answer, computers = 0 }) =>
          answer.alreadyAssigned ? texts.alreadyAssigned(name) : texts.assigns(name, page.name, computers),
        details: () => present && <Text size="sm">{texts.replaces(present.name)}</Text>,
        done: ({ alreadyAssigned }) => ({
          text: texts.assigned(name),
          to: `/groups/${page.id}/assignments`,
          // What was replaced does not come back by itself.
          ...(!alreadyAssigned &&
            !present &&
            picked && {
              undo: {
                label: actions.undo,
                run: () => removeAssignment(page.id, { type, objectId: picked.id }),
                done: groups.unassigned(name),
              },
            }),
        }),
        refreshes: [groupKey(page.id)],
      }}
    />
  )
}
