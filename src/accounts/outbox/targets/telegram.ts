// A chat of Telegram, by the operator's bot; 403 says that the bot was blocked or removed from the group.
import { type Target, unlinked } from '../target.js';

export const telegram: Target = {
  needs: 'chat',
  chat: {
    charactersMax: 4_096,
    plain: unlinked,
    body: (text, { chat }) => ({ chat_id: chat, text, link_preview_options: { is_disabled: true } }),
  },
  gone: [403],
  trusted: true,
  address(_target, { telegram: { url, token } }) {
    if (token === undefined) throw new Error('this server has no bot for Telegram (TELEGRAM_BOT_TOKEN)');
    return new URL(`${url}/bot${token}/sendMessage`);
  },
};
