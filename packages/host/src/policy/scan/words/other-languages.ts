// The same meanings in other languages. Words stand as `plainText` writes them, such as those with Latin letters
// without accents; of other scripts a word is found wherever its letters stand in a row.

import type { Words } from './english.ts';

export const GERMANIC: Words = {
  DROP: 'ignorier* vergiss vergesst vergessen missacht* verwirf verwerf* uberschreib* beachte_nicht negeer* vergeet vergeten ignorera glom ignorer glem glemt strunta bortse',
  INSTRUCTIONS:
    'anweisung* instruktion* vorgabe* richtlinie* systemprompt* system_prompt befehl* instructies instructie aanwijzing* opdracht* richtlijn* systeemprompt* instruktioner anvisning* riktlinjer retningslinjer instrukser sicherheitsrichtlinie*',
  RULES_FOREIGN: 'regel regeln regels regler beschrankung* beperkingen',
  PRIOR:
    'vorherig* bisherig* fruher* obig* vorangegangen* zuvor eerdere vorige voorgaande bovenstaande eerder tidigare foregaende tidligere forrige ovenstaende vorstehend*',
  ALL: 'alle allen aller alles samtlich* jede jegliche al alla allt',
  YOUR: 'dein* deine deiner ihre euer jouw je uw dina dine',
  NOT_FOREIGN:
    'nicht nichts niemals nie kein* keinesfalls ohne niet nooit geen zonder inte aldrig ikke aldri utan uden',
  TELL_FOREIGN:
    'sag sage sagen sagst erwahn* mitteil* informier* verrat* verrate erzahl* teile teilen offenbar* benachrichtig* vertel* zeg zeggen vermeld* informeer* meld melden onthul* laat beratta fortell* naevn* nevn* wissen erfahr* weten',
  USER_FOREIGN: 'nutzer* benutzer* anwender* gebruiker* anvandaren bruker brukeren brugeren klant',
  SECRET_FOREIGN:
    'passwort* passworter kennwort* zugangsdaten anmeldedaten geheimnis* schlussel api_schlussel wachtwoord* inloggegevens sleutel* toegangsgegevens losenord* losenordet adgangskode* passord* ssh_schlussel ssh_sleutel',
  PRIVATE_FOREIGN:
    'gesprachsverlauf chatverlauf gesprach konversation verlauf unterhaltung systemprompt gespreksgeschiedenis gesprek chatgeschiedenis umgebungsvariablen omgevingsvariabelen samtalen konversationen',
  GET_FOREIGN: 'lies lese lesen auslesen offne hol hole lees lezen haal laes hent kopiere kopieer',
  SEND_FOREIGN:
    'sende senden sendet schick* ubermittle* ubermittel* ubertrag* weiterleit* leite lade hochladen stuur sturen verstuur* verzend* doorsturen skicka',
  GIVE_FOREIGN:
    'ubergib* fuge fug einfugen gib angeben hange voeg toevoegen geef meegeven lagg tilfoj* schreibe',
  REVEAL_FOREIGN: 'zeig zeige ausgeb* gib nenne verrate geef offenlege*',
  SLOT_FOREIGN: 'parameter feld parametern argument veld falt felt',
  BEFORE_FOREIGN: 'bevor zuerst voordat eerst innan forst',
};

export const ROMANCE: Words = {
  DROP: 'ignora ignoren ignore ignorez ignorer ignorar ignorad ignorate ignorare olvida olvide olviden olvidad olvidar descarta descarte desestima omite haz_caso_omiso haga_caso_omiso no_hagas_caso no_tengas_en_cuenta desconsidere desconsidera esqueca esquece esquecer despreze oublie oubliez oublier neglige* ne_tiens_pas_compte ne_tenez_pas_compte fais_abstraction dimentica dimenticate trascura non_considerare scarta tralascia faites_abstraction annulez anula anule suprime ignori uita',
  INSTRUCTIONS:
    'instruccion* instrucoes instrucao instructions instruction istruzion* consigne* directive* directiva* directrices direttiv* diretriz* orden ordenes ordini ordens indicacion* indicazioni indicacoes prompt_del_sistema prompt_systeme prompt_de_sistema prompt_do_sistema prompt_di_sistema instructiuni* instructiunile comenzi indicaciones',
  RULES_FOREIGN:
    'regla* regras regole regle* restriccion* restricoes restrizioni limites filtros filtres',
  PRIOR:
    'anterior* previa* previo* precedent* anteriormente antes acima arriba sopra ci_dessus plus_haut dessus anterioare recibid* recebid* ricevut* recues',
  ALL: 'todas todos todo toda tutte tutti tutto toutes tous tout qualsiasi cualquier cualquiera toate tudo',
  YOUR: 'tus tu sus su suas seu seus sua tue tuoi vos votre tes ton vostre',
  NOT_FOREIGN:
    'no nunca jamas sin nao sem non mai senza ne pas sans jamais rien nada evita evite nu fara',
  TELL_FOREIGN:
    'digas diga decir dile dires digan menciones mencione mencionar informes informe informer informez informar reveles revele revelar cuentes cuente avises avise avisar notifiques notifique notificar comuniques conte contar avisar dire dica menzionare menziona informare rivelare rivela avvisare comunicare riveli dites mentionne* revele* previen* prevenir avertir avertis avertissez parle* spune mentiona informa divulgue* divulge saiba sepa enterar sache savoir sappia mostrare mostrar montre* deja',
  USER_FOREIGN:
    'usuario* usuarios utente utenti utilisateur* utilizador* utilizator* usager lutilisateur allutente dellutente lutente cliente clientes',
  SECRET_FOREIGN:
    'contrasena* clave claves credencial* credenciales senha senhas chave chaves mot_de_passe mots_de_passe identifiants cle_api cles cle cle_privee cle_ssh cles_ssh chiave chiavi credenziali parola_d_ordine contrasenya parola parolele clave_privada secretos segredos segreti token_de_acceso jetons',
  PRIVATE_FOREIGN:
    'conversacion historial conversa conversacao historico conversazione cronologia la_conversation cette_conversation historique prompt_del_sistema prompt_do_sistema prompt_systeme variables_de_entorno variaveis_de_ambiente variables_d_environnement variabili_d_ambiente conversatia mensajes_anteriores',
  GET_FOREIGN:
    'lee leer leas lea abre abrir leia ler abra lis lisez lire ouvre* ouvrir leggi leggere apri aprire obten obtener obtenha recupera recupere* copia copie copier citeste extrae extraia',
  SEND_FOREIGN:
    'envia envie enviar envies envoie envoyez envoyer transmets transmettez transmettre invia inviare inviate manda mandar mande reenvia reenvie reenviar encaminhe inoltra spedisci sube subir trimite transmite transferez publie* publica publique',
  GIVE_FOREIGN:
    'incluye incluir incluya pasa pasar pase inclua incluir passe passar inclus* incluez inclure ajoute* ajouter includi includere inserisci passa aggiungi anade agrega adjunta anexa anexe insere* insira coloca ponga pon passez fournis* mets mettez adauga',
  REVEAL_FOREIGN:
    'muestra muestre mostrar revela revele imprime mostra mostre exiba montre* affiche* revelez revele rivela mostra stampa dime dimmi diga dites dis_moi dites_moi arata repite repita repete*',
  SLOT_FOREIGN:
    'parametro parametros campo argumento parametre champ argument parametri argomento camp parametru',
  BEFORE_FOREIGN: 'antes avant prima primero primeiro d_abord inainte',
};

export const SLAVIC_AND_TURKIC: Words = {
  DROP: 'zignoruj* ignoruj* zapomnij pomin pomijaj ignorujte zapomen* zapomente odmysli игнориру проигнориру игнорир забудь забудьте не_обращай отбрось пренебрег не_учитывай отмени ігнору проігнору забудь_про відкинь не_зважай onemseme unut unutun gormezden_gel yok_say dikkate_alma dikkate_almayin aldirma bos_ver hice_say goz_ardi_et goz_ardi_edin yoksay*',
  INSTRUCTIONS:
    'instrukcj* instrukci* polecen* polecenia wytyczn* dyrektyw* pokyny pokynu prikaz* инструкци указани директив установк команды системн промпт інструкці вказівк настанов talimat* komut* yonerge* yonlendirme* sistem_istemi',
  RULES_FOREIGN:
    'zasad* reguly regula ograniczen* pravidla правил ограничени обмежен kural* kisitlama*',
  PRIOR:
    'poprzedni* wczesniejsz* powyzsz* dotychczasow* predchozi vyse предыдущ прежн прошл вышеуказанн ранее_данн ранее попередн раніше минул вище onceki yukaridaki daha_once gecmis mevcut',
  ALL: 'wszystk* wszelki* kazd* vsechny все всё всех любые усі всі tum butun hepsini tumunu',
  YOUR: 'twoj* swoj* twoje своих твои ваши свои твої ваші senin sizin',
  NOT_FOREIGN: 'nie nigdy bez nikdy ne не_ никогда без_ ніколи',
  TELL_FOREIGN:
    'mow mowic mow_o wspominaj* wspomn* informuj* ujawnia* ujawni* powiadamia* powiedz* zdradza* rikej nerikej nezminuj говори сообща упомина рассказыв раскрыв уведомля информиру показыва кажи каж повідомля згадуй згаду розповіда розкрива інформу сповіща показуй',
  CONCEALED:
    'soyleme soylemeyin soylemeden bahsetme bahsetmeyin bahsetmeden bildirme bildirmeyin bildirmeden belirtme belirtmeyin haber_verme haber_vermeyin haber_vermeden aciklama_yapma gizle gizleyin gizli_tut gizli_tutun haberi_olmadan fark_etmeden fark_etmesin bilmesin sezdirme скрой скрывай втайне в_тайне не_должен_знать приховай приховуй таємно nerikej nerikejte nesdeluj nezminuj ukryj ukrywaj potajemnie bez_wiedzy',
  USER_FOREIGN:
    'uzytkownik* uzivatel* пользовател юзер користувач kullanici* kullaniciya kullanicinin',
  SECRET_FOREIGN:
    'hasl* haslo hasla haslami dane_logowania klucz* hesla heslo klice парол учётн учетн ключ секретн токен паролі облікові_дані ключі sifre* parola* kimlik_bilgi* anahtar* gizli_anahtar',
  PRIVATE_FOREIGN:
    'rozmow* historie_czatu konwersacj* переписк истори диалог разговор беседы історі розмов листуванн konusma* sohbet* gecmisi переменные_окружения змінні_середовища ortam_degisken*',
  GET_FOREIGN:
    'przeczytaj odczytaj otworz pobierz skopiuj precti otevri прочита прочти открой считай скопиру прочитай відкрий зчитай oku okuyun okuyup kopyala',
  SEND_FOREIGN:
    'wyslij wyslac wysylaj przeslij przekaz* odesli posli отправ перешли пошли переда выгруз надішли відправ перешли передай gonder* ilet iletin yolla yukle',
  GIVE_FOREIGN:
    'dolacz* dodaj przekaz umiesc wstaw wpisz pridej vloz встав добав включи укажи переда додай вкажи встав ekle* ekleyin gec aktar yaz',
  REVEAL_FOREIGN:
    'pokaz ujawnij wyswietl ukaz покажи выведи раскрой напечата назови виведи розкрий goster* acikla* yazdir*',
  SLOT_FOREIGN:
    'parametr* pole polu argument* параметр поле аргумент parametre* alan alani alanina',
  BEFORE_FOREIGN: 'zanim przed najpierw перед прежде сначала спочатку oncelikle',
};

export const ASIAN_AND_OTHER: Words = {
  DROP: 'abaikan lupakan kesampingkan acuhkan bo_qua phot_lo quen_het quen_di quen_moi dung_tuan_theo huy_bo 忽略 无视 無視 不要理会 不用理会 忘记 忘記 忘掉 不理會 抛弃 丢弃 别管 不要遵守 不要遵循 忽視 忽视 撤销 作废 無視し 忘れ 破棄 従わない 従うな 무시 잊어 잊고 따르지 تجاهل تجاهلي انس_ انسى إهمال أهمل تناس अनदेखा नज़रअंदाज़ नजरअंदाज भूल_जा भूल अनदेखी उपेक्षा התעלם התעלמי שכח ละเว้น เพิกเฉย ไม่ต้องสนใจ ลืม نادیده فراموش উপেক্ষা ভুলে αγνόησε αγνοήστε ξέχασε puuza sahau kalimutan huwag_pansinin',
  INSTRUCTIONS:
    'instruksi perintah arahan huong_dan chi_dan chi_thi menh_lenh lenh_truoc yeu_cau_truoc 指令 指示 说明 說明 提示词 提示詞 系统提示 系統提示 命令 指引 指導 プロンプト インストラクション 指図 지시 명령 프롬프트 지침 설명을 التعليمات الأوامر تعليمات أوامر التوجيهات توجيهات निर्देश आदेश अनुदेश प्रॉम्प्ट הוראות ההנחיות הנחיות คําสั่ง คําแนะนํา دستورالعمل دستورات নির্দেশ οδηγίες οδηγιών maagizo tagubilin',
  RULES_FOREIGN:
    'aturan peraturan quy_tac gioi_han 规则 規則 要求 限制 准则 ルール 制限 規定 規範 규칙 제한 القواعد قواعد القيود नियम प्रतिबंध הכללים กฎ قوانین নিয়ম κανόνες',
  PRIOR:
    'sebelumnya terdahulu di_atas truoc_do truoc_day o_tren ben_tren 之前 以前 先前 上述 此前 前面 上面 以上 过去 過去 これまで 上記 前の 従来 今まで 이전 위의 앞의 기존 지금까지 السابقة السابق أعلاه سابقة पिछले पिछली पूर्व पहले उपरोक्त הקודמות הקודם ก่อนหน้า قبلی পূর্ববর্তী আগের προηγούμενες παραπάνω yaliyotangulia',
  ALL: 'semua seluruh tat_ca moi toan_bo 所有 全部 一切 任何 すべて 全て 全部の あらゆる 모든 모두 전부 جميع كل كافة सभी सब समस्त כל ทั้งหมด همه সমস্ত সব όλες όλα zote',
  YOUR: 'anda kamu cua_ban 你的 您的 あなたの 당신의 आपके अपने',
  NOT_FOREIGN:
    'jangan tidak tanpa dung khong khong_duoc 不要 别 別 勿 请勿 請勿 切勿 不得 不能 不可 不许 不必 无需 لا_ دون_ بدون عدم मत_ न_ ना_ बिना אל_ ללא อย่า ห้าม ไม่ต้อง نکن μην χωρίς huwag usi',
  TELL_FOREIGN:
    'beritahu memberitahu memberi_tahu beri_tahu menyebutkan sebutkan mengungkapkan ungkapkan katakan cho_biet noi_cho noi_voi tiet_lo de_cap thong_bao bao_cho 告诉 告訴 告知 提及 提到 通知 透露 让用户 让他 向用户 提醒 说出 泄露 تخبر إخبار تذكر تبلغ إبلاغ تكشف تُخبر तुम बता बताए बताएं बताएँ बताना सूचित उल्लेख תספר תגלה תאמר บอก แจ้ง เปิดเผย نگو বলবে জানা αναφέρεις πεις ενημερώσεις sabihin mwambie',
  CONCEALED:
    '知らせない 知らせず 知らせるな 伝えない 伝えず 伝えるな 教えない 言わない 言うな 話さない 明かさない 告げない 通知しない 報告しない 言及しない 触れない 気付かれない 気づかれない 秘密に 内緒 隠し 気付かない 黙って 알리지 말하지 언급하지 밝히지 공개하지 알려주지 보고하지 몰래 비밀로 숨기 모르게 알게_하지 隐瞒 瞒着 隱瞞 保密 偷偷 悄悄 秘密地 暗中 diam_diam rahasiakan tanpa_sepengetahuan len_lut bi_mat_gui giu_bi_mat سرا سراً أخف إخفاء خفية चुपके छिपा गुप्त_रूप בסתר แอบ',
  USER_FOREIGN:
    'pengguna nguoi_dung 用户 使用者 用戶 客户 他们 ユーザー ユーザ 利用者 使用者に 사용자 유저 المستخدم للمستخدم المستخدمين उपयोगकर्ता यूज़र यूजर प्रयोक्ता המשתמש למשתמש ผู้ใช้ کاربر ব্যবহারকারী χρήστη mtumiaji',
  SECRET_FOREIGN:
    'kata_sandi sandi kredensial kunci rahasia mat_khau thong_tin_dang_nhap khoa_rieng khoa_api khoa_ssh khoa_bi_mat 密码 密碼 凭证 憑證 凭据 密钥 密鑰 私钥 私鑰 令牌 口令 パスワード 認証情報 資格情報 秘密鍵 秘密键 トークン キーを 鍵 비밀번호 자격_증명 자격증명 비밀키 개인키 개인_키 암호 토큰 api_키 كلمة_المرور كلمات_المرور كلمة_السر بيانات_الاعتماد المفاتيح مفتاح مفاتيح पासवर्ड कुंजी क्रेडेंशियल गोपनीय סיסמ מפתח รหัสผ่าน คีย์ رمز_عبور পাসওয়ার্ড κωδικ nenosiri',
  PRIVATE_FOREIGN:
    'percakapan riwayat obrolan cuoc_tro_chuyen lich_su doan_hoi_thoai hoi_thoai bien_moi_truong 对话 對話 聊天记录 聊天記錄 会话 上下文 历史记录 环境变量 系统提示 会話 履歴 チャット 環境変数 システムプロンプト 대화 기록 환경_변수 환경변수 시스템_프롬프트 المحادثة محادثة سجل متغيرات_البيئة बातचीत वार्तालाप इतिहास השיחה การสนทนา گفتگو কথোপকথন συνομιλία',
  GET_FOREIGN:
    'baca bacalah buka ambil salin doc_file doc_tep mo_file sao_chep lay_noi_dung 读取 讀取 打开 打開 获取 獲取 阅读 複製 复制 取得 提取 读出 读一下 先读 読み 読ん 読む 開い 開き 取得し 읽 열어 열고 가져 복사 اقرأ قراءة افتح احصل انسخ पढ़ पढ़ खोल प्राप्त_कर קרא อ่าน بخوان পড় διάβασε',
  SEND_FOREIGN:
    'kirim kirimkan mengirim teruskan unggah gui_den gui_mat_khau gui_toan gui_tat_ca gui_khoa gui_file gui_noi_dung gui_thong_tin gui_no gui_toi chuyen_tiep tai_len 发送 發送 发给 發給 发到 上传 上傳 转发 轉發 传送 傳送 提交 送信 送っ 送り 送る 転送 アップロード 投稿 보내 전송 업로드 전달 게시 أرسل إرسال ارسل أرسلها حمّل भेज अपलोड שלח ส่ง ارسال_کن পাঠা στείλε tuma ipadala',
  GIVE_FOREIGN:
    'sertakan masukkan tambahkan lampirkan dua_vao them_vao truyen_noi_dung dinh_kem 放入 放到 填入 填写 传入 傳入 传递 作为 作為 附上 附加 写入 包含 添加 含め 渡し 渡す 入れ 追加 として 포함 넣어 넣으 전달 첨부 입력 ضع أضف أدرج مرر تمرير शामिल डाल जोड़ दें הוסף ใส่ แนบ যোগ',
  REVEAL_FOREIGN:
    'tampilkan ungkapkan tunjukkan hien_thi in_ra tiet_lo 输出 輸出 显示 顯示 打印 泄露 告诉我 透露 出力 表示 見せ 教えて 開示 출력 보여 공개 알려 اعرض أظهر اكشف اطبع اكشف_عن दिखा प्रकट बताओ הצג חשוף แสดง เปิดเผย',
  SLOT_FOREIGN:
    'parameter bidang kolom tham_so truong 参数 參數 字段 欄位 パラメータ パラメーター フィールド 引数 매개변수 파라미터 필드 인수 المعلمة معامل الحقل पैरामीटर फ़ील्ड फील्ड פרמטר พารามิเตอร์',
  BEFORE_FOREIGN:
    'sebelum terlebih_dahulu truoc_khi 之前 先 使用前 调用前 前に まず 最初に 전에 먼저 قبل أولا पहले לפני ก่อน',
};
