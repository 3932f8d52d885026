// Words that rules speak of, by what they mean. `ignor*` stands for every word that begins so, `set_aside`
// for words in a row. Capitals are names of meanings; rules use them beside words of their own.

export type Words = Readonly<Record<string, string>>;

export const ENGLISH: Words = {
  /** Words inside of these mean nothing by themselves. */
  NEUTRAL:
    'ignore_case ignores_case ignoring_case case_ignored ignore_whitespace known_hosts id_rsa_pub id_ed25519_pub id_ecdsa_pub env_example env_sample env_template secret_manager secrets_manager secret_name secret_id secret_names system_message_id forgot_password forget_password reset_password password_reset public_key public_keys prompt_user prompt_the_user prompts_the_user prompting_the_user user_prompted not_only token_limit max_tokens tokens_used token_count token_usage key_value primary_key foreign_key key_points keyword cookie_banner system_tray file_system filesystem operating_system directions_api driving_directions walking_directions turn_by_turn secret_sauce not_tell_you prompt_template token_address token_id',

  /** To do away with what was said. */
  DROP: 'ignor* disregard* forget forgets forgetting forgot neglect overlook discard* dismiss abandon* override overrides overriding overrule* set_aside put_aside pay_no_attention no_attention nullif* supersed* ditch scrap unlearn stop_following do_not_follow dont_follow no_longer_follow not_obey stop_obeying cease_following countermand* rescind* throw_away throw_out leave_behind invalidat* cancel_out',
  INSTRUCTIONS:
    'instruction* directive* guideline* guardrail* prompt prompts system_prompt* system_message* system_instruction* programming orders commandment* instrcution* instuction* ordinances brief briefing',
  /** What may be a rule for a model, or for a firewall. */
  RULES:
    'rule rules polic* restriction* constraint* protocol* safeguard* limitation* limits guidance directions command commands training filter filters context told said conversation conversations input message messages text content task tasks request requests safety persona role boundar* principles ethics moderation security_measures configuration settings setup',
  PRIOR:
    'previous* prior above earlier preceding former past foregoing before original initial existing so_far up_to_now up_to_this_point until_now received learned given preexisting aforementioned up_top already',
  ALL: 'all any every everything each whatever anything entire whole complete full fully both total',
  YOUR: 'your you yourself ur',
  SAFETY:
    'safety security ethical ethics moral moderation content_policy content_policies content_filter* safeguard* guardrail* restriction* limitation* filter filters alignment safeguards censorship protections usage_policies usage_policy security_measures access_controls access_control restrictions validation',
  /** Not to be held back by. */
  EVADE:
    'bypass* circumvent* disabl* evad* sidestep* turn_off turning_off switch_off switched_off deactivat* suspend* lift lifts lifted remov* ignor* disregard* skip skips skipping overrid* violat* break subvert* jailbreak* without no no_more free_of free_from not_bound unbound_by defeat undo relax waive waived',

  NOT: 'not dont do_not never without avoid refrain mustnt shouldnt wont cannot cant neednt no_need rather_than instead_of nor neither nothing omit prevent stop',
  TELL: 'tell tells telling told mention* inform informs informing informed reveal* notify* notif* disclos* alert alerting warn warning show showing display displaying say saying admit* confess* acknowledg* divulge* share sharing report reporting expos* explain* surface surfacing announce announcing discuss discussing describe log logging ask asking bother indicate indicating let letting communicate hint bring_up refer_to references_to reference',
  /** Words for telling that are not used of a message on a screen. */
  TELL_PLAINLY:
    'tell tells telling mention* inform informs informing reveal* notify notifying notifies disclos* alert alerting admit* confess* acknowledg* divulge* bring_up announce hint',
  USER: 'user users human humans person people anyone anybody them operator operators customer customers owner end_user end_users victim somebody someone client',
  UNAWARE:
    'unaware in_the_dark uninformed oblivious unnoticed undetected unknowing* not_know not_see not_notice not_aware not_realize not_realise without_noticing without_their_knowledge without_awareness never_know never_see never_find_out not_find_out not_be_told not_be_informed not_be_aware not_be_shown not_be_notified not_learn not_be_mentioned not_suspect wont_notice doesnt_notice wont_know doesnt_know wont_see doesnt_see never_notices never_sees out_of_sight cannot_see cant_see',
  SECRETLY:
    'secretly silently covertly quietly discreetly stealthily surreptitiously invisibly behind_the_scenes in_secret undetected unnoticed transparently clandestinely without_a_trace without_telling sneakily under_the_hood in_the_background',
  HIDE: 'hide hides hiding hidden conceal* keep_secret withhold* obscure mask keep keeps keeping suppress omit',

  SECRET:
    'environment_variables env_vars credential* password* passphrase* api_key* apikey* secret secrets access_token* auth_token* authentication_token* session_token* bearer_token* oauth_token* refresh_token* github_token* security_token* private_key* ssh_key* encryption_key* signing_key* cookies session_cookie* credit_card* card_number* cvv ssn social_security login_details login_data logins pin_code 2fa otp one_time_code one_time_password pii personal_data personal_information personal_details bank_details account_number* auth_header authorization_header authorization_headers jwt vault_token',
  /** What is said between a person and a model. */
  PRIVATE:
    'chat_history conversation_history message_history browser_history browsing_history chat_log* conversation_log* chat_transcript* conversation_transcript* entire_conversation full_conversation whole_conversation complete_conversation previous_conversation current_conversation conversation_so_far conversation_context conversation_summary prior_conversation entire_chat full_chat whole_chat all_messages last_messages previous_messages recent_messages earlier_messages user_messages user_prompts users_prompts users_messages users_original system_prompt* system_message system_instructions seed_phrase* mnemonic* recovery_phrase* confidential* sensitive_data sensitive_information sensitive_files private_data private_information private_files private_documents private_repositor* private_repos private_messages private_emails private_notes private_message private_chat* personal_notes clipboard_contents keystrokes chat_messages entire_context whole_context context_window private_file tool_outputs tool_results tool_descriptions other_tools_output shell_history command_history bash_history internal_documents address_book contact_list users_contacts users_inbox all_emails previous_responses dialog_history everything_the_user conversation_data conversation_content users_location',
  GET: 'read reads reading open opens opening cat access accessing load loads loading fetch fetches retrieve* collect* gather* obtain* extract* dump* locate find look_up look_for get grab* scan* copy copies pull scrape* harvest* search_for list enumerate capture steal take view inspect',
  GIVE: 'pass passes passing include includes including put puts putting append* embed* attach* insert* provide* provid* suppl* add adds adding plac* hand_over hand paste* encode* write writes stuff populate* fill fills prepend* inject supply return output echo print carry feed submit give deliver share shares sharing shared concatenat* place store stash smuggle',
  SEND: 'send sends sending sent post posts posting posted upload* transmit* forward forwards forwarding forwarded email emails emailing emailed mail copies copy mirror* report reports submit* publish* pipe ship ships relay* deliver* bcc cc blind_copy blind_copies saves save sync syncs stream streams beacon* exfiltrat* exfil push dm message call_home phone_home log logs logged ping share shares redirect* curl wget fax dispatch* route hand_over writes tweet',
  /** To send, as hardly anything else is meant by it. */
  SEND_OUT:
    'send sends sending sent post posts posting upload* transmit* forward forwards forwarding leak leaks leaking exfiltrat* exfil email emails mail ship ships relay* push dispatch* curl publish',
  ELSEWHERE:
    'external* remote third_party third_parties outside attacker* offshore our_server our_servers my_server our_endpoint our_api our_analytics vendors authors maintainers developers collector webhook* hook evil malicious unknown_server off_site offsite logging_server telemetry analytics_endpoint analytics_server c2 command_and_control exfil drop_zone callback pastebin requestbin ngrok discord telegram burner',
  SLOT: 'argument arguments parameter* param params field fields sidenote side_note note notes header headers metadata context body payload query_string input property comment comments remark tag annotation attribute',
  HERE: 'this_tool this_function the_tool this_server this_endpoint this_api this_utility this_action this_operation this_service this_call this_command this_method this_plugin this_one this_description this_integration the_function any_tool any_other_tool other_tools',
  TOOL: 'tool tools function functions server servers plugin plugins integration* endpoint* mcp',
  OTHER: 'other others another all any every different alternative competing rival remaining else',
  CALL: 'call calls calling called invoke* invoking use uses using used run runs running execut* trigger* perform* launch* start proceed* proceeding',
  BEFORE: 'before prior_to first ahead_of beforehand firstly initially preceding',
  AFTER: 'after once afterwards afterward following upon then finally when_done later',
  WHEN: 'when whenever if every_time each_time any_time as_soon_as while once where',
  ALWAYS:
    'always every each must never whenever all automatically regardless constantly at_all_times every_time each_time invariably from_now_on unconditionally',
  MUST: 'must shall have_to has_to need_to needs_to required_to required should mandatory ensure make_sure be_sure remember_to please_always always is_required are_required be_required essential crucial supposed_to instructed_to obligated ought_to',
  MODEL:
    'ai assistant model llm agent chatbot claude gpt chatgpt copilot cursor gemini language_model ais assistants models llms agents bot',
  DEVELOPER:
    'developer admin* root debug god dan sudo maintenance unrestricted jailbreak* uncensored superuser privileged unfiltered unlocked emergency override diagnostic',
  OBEY: 'obey* comply complies follow follows follow_exactly execute carry_out act_on adhere* do_as do_what do_exactly do_whatever heed',
  LATER:
    'approved accepted trusted reviewed whitelisted allowlisted allow_listed recorded vetted verified_by approval',
  MONEY:
    'payment payments transfer transfers funds transaction* invoice* wire_transfer* wallet beneficiary payee recipient* iban payout* donation* refund*',
  CHANGE:
    'change changes modif* replac* redirect* reroute* rewrite* alter* swap* substitut* overrid* divert* tamper* multiply inflate',
  TARGET:
    'recipient* destination payee* beneficiary phone_number* email_address* wallet wallet_address account account_number iban to_address to_field amount address cc bcc',
  REASON:
    'compliance audit audits auditing telemetry verification verify verifying authentication logging log debugging debug diagnostics quality personalization backup regulatory policy policies security_check security_checks authorization validation traceability analytics session_integrity integrity license licensing security calibration synchronization sync context_preservation optimization proof',
  REVEAL:
    'reveal* show print output leak repeat disclos* display expos* share send return include give dump recite write_out tell spell_out provide paste list state summarize translate echo describe reproduce copy append transmit forward read_out quote output_verbatim what_is whats what_are what_were',
  /** What hardly any tool has a reason to ask for. */
  DEEP: 'private_ssh_key private_key* ssh_key* seed_phrase* recovery_phrase* mnemonic* credit_card* card_number* cookie cookies session_cookie* session_token one_time_code* 2fa_code* master_password environment_variables',
  HARM: 'steal steals stealing exfiltrat* exfil stolen harvest* keylog* backdoor ransomware',
  DESTROY:
    'delete deletes deleting rm drop wipe wipes erase overwrite truncate destroy format shred purge',
};
