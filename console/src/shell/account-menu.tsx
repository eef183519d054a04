import { ActionIcon, Button, Popover, Stack, Text } from '@mantine/core'
import { signOutAddress } from '../api/session.ts'
import { IconLogout, IconUserCircle } from '../components/icons.ts'
import { useTexts } from '../texts/texts.tsx'
import { discardEnrolment } from './kept-enrolment.ts'
import { useSession } from './session-context.ts'
import { ColourChoice, LanguageChoice } from './settings.tsx'

export function AccountMenu() {
  const texts = useTexts()
  const { principal } = useSession()
  const name = principal.displayName
  return (
    <Popover position="bottom-end" width={280} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <ActionIcon variant="default" size="lg" aria-label={texts.shell.account}>
          <IconUserCircle size={20} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.shell.account}>
        <Stack gap="md">
          <Text size="sm" className="breakable">
            {texts.shell.signedInAs(name)}
          </Text>
          <ColourChoice />
          <LanguageChoice />
          <Button
            component="a"
            href={signOutAddress}
            onClick={discardEnrolment}
            variant="default"
            leftSection={<IconLogout size={16} aria-hidden />}
          >
            {texts.shell.signOut}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
