import { Alert, Anchor, Button, DataList, Grid, Group, Paper, Stack, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { PrincipalResource } from '../../api/principals.ts'
import { FormLayout } from '../../components/form-layout.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { leavingIsFine, UnsavedChanges } from '../../components/unsaved-changes.tsx'
import { useSession } from '../../shell/session-context.ts'
import { usePrincipalTexts } from '../../texts/principal-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import type { Difference } from './differences.tsx'
import type { ShownField } from './merge.ts'
import type { Editor } from './use-editor.ts'

type Subject = { id: number; name: string; identifier: string; isProtected: boolean }

type EditorPageProps<Dto, Values extends object> = {
  editor: Editor<Dto, Values>
  resource: PrincipalResource<Dto, Values>
  principal: Subject
  listKey: string[]
  badges: ReactNode
  details: [label: string, value: ReactNode][]
  createdAt?: string
  lastUsedAt: string | null
  /** Shown below the details. */
  aside?: ReactNode
  actions?: ReactNode
  fields: readonly ShownField<Values>[]
  compare: (before: Dto, now: Dto) => Difference[]
  conflictNote?: string | undefined
  children: ReactNode
}

/** The page of one principal of any kind. */
export function EditorPage<Dto, Values extends object>(props: EditorPageProps<Dto, Values>) {
  const { editor, principal, badges, actions, children } = props
  const texts = useTexts()
  const own = usePrincipalTexts()
  const session = useSession()
  const { form } = editor
  return (
    <Page
      title={principal.name}
      intro={badges}
      actions={
        <>
          {actions}
          <DeleteButton {...props} />
        </>
      }
    >
      {session.principal.id === principal.id && <Alert color="blue">{own.yourself}</Alert>}
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Paper withBorder p="md">
            <FormLayout saving={editor.saving} submitLabel={texts.common.save} isUnchanged={!form.isDirty()}>
              {children}
            </FormLayout>
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <Details {...props} />
            {props.aside}
          </Stack>
        </Grid.Col>
      </Grid>
      <UnsavedChanges exist={form.isDirty()} />
      <Conflict {...props} />
    </Page>
  )
}

function Details<Dto, Values extends object>({
  details,
  createdAt,
  lastUsedAt,
  resource,
}: EditorPageProps<Dto, Values>) {
  const { common } = useTexts()
  const principal = usePrincipalTexts()
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2}>{principal.details}</Title>
        <DataList orientation="vertical">
          {details.map(([label, value]) => (
            <DataList.Item key={label}>
              <DataList.ItemLabel>{label}</DataList.ItemLabel>
              <DataList.ItemValue className="breakable">{value}</DataList.ItemValue>
            </DataList.Item>
          ))}
          {createdAt && (
            <DataList.Item>
              <DataList.ItemLabel>{principal.createdAt}</DataList.ItemLabel>
              <DataList.ItemValue>
                <Moment at={createdAt} />
              </DataList.ItemValue>
            </DataList.Item>
          )}
          <DataList.Item>
            <DataList.ItemLabel>{principal.lastUsed}</DataList.ItemLabel>
            <DataList.ItemValue>{lastUsedAt ? <Moment at={lastUsedAt} /> : common.never}</DataList.ItemValue>
          </DataList.Item>
        </DataList>
        <Group>
          <Anchor component={Link} size="sm" to={`/admin/audit?target=${encodeURIComponent(resource.path)}`}>
            {principal.history}
          </Anchor>
        </Group>
      </Stack>
    </Paper>
  )
}

function DeleteButton<Dto, Values extends object>({
  editor,
  resource,
  principal,
  listKey,
  compare,
}: EditorPageProps<Dto, Values>) {
  const own = usePrincipalTexts()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const { name, identifier, isProtected } = principal
  const { deleteText, deleteProtectedText, deleteTitle } = own
  return (
    <>
      <Button color="red" variant="light" onClick={() => setIsAsking(true)}>
        {own.delete}
      </Button>
      <ChangeDialog
        isOpen={isAsking}
        editor={editor}
        compare={compare}
        title={deleteTitle(name)}
        text={isProtected ? `${deleteProtectedText} ${deleteText}` : deleteText}
        confirmLabel={own.delete}
        typed={isProtected ? identifier : undefined}
        isDangerous
        change={async (etag) => {
          await resource.delete(etag, isProtected)
          await queryClient.invalidateQueries({ queryKey: listKey })
          notifications.show({ message: own.deleted })
          await navigate('/admin/principals', { state: leavingIsFine })
        }}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}

function Conflict<Dto, Values extends object>({
  editor,
  resource,
  fields,
  conflictNote,
}: EditorPageProps<Dto, Values>) {
  const { base, form, theirs, saving } = editor
  return (
    <ConflictDialog
      conflict={
        theirs && {
          version: theirs.etag,
          fields,
          base: resource.toValues(base.value),
          mine: form.getValues(),
          theirs: resource.toValues(theirs.value),
          note: conflictNote,
          saving,
          onKeep: editor.overrule,
          onDiscard: () => editor.accept(theirs),
        }
      }
      onClose={editor.postpone}
    />
  )
}
